import { Menu } from '@belvedere/ui';
import { Ellipsis } from 'lucide-react';
import { t } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';

interface DraftMenuProps {
  readonly editor: EditedText;
  readonly onHistory: () => void;
  readonly onDiscard: () => void;
  /** Undefined where the document cannot be shared. */
  readonly onShare?: (() => void) | undefined;
}

/** The buttons that a narrow header has no room for, in a menu. */
export function DraftMenu({ editor, onHistory, onDiscard, onShare }: DraftMenuProps) {
  const isChanged = useEditor(editor, state => state.text !== state.base.text);
  return (
    <span className="md:hidden">
      <Menu
        label={t.actions.more}
        icon={<Ellipsis size={16} aria-hidden />}
        groups={() => [
          [
            { id: 'history', label: words.history.open, onAction: onHistory },
            ...(onShare ? [{ id: 'share', label: t.sharing.share, onAction: onShare }] : []),
          ],
          isChanged ? [{ id: 'discard', label: words.discard, onAction: onDiscard }] : [],
        ]}
      />
    </span>
  );
}
