import type { ModelSummary } from '@belvedere/api';
import { Button, IconButton } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { isAllowed } from '../../data/session/permissions.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { words } from '../../editor/messages/words.ts';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';

interface ExploreHeaderProps {
  readonly editor: DashboardEditor;
  readonly model: ModelSummary | undefined;
  readonly label: string;
  /** Clears all selections; undefined if there are none. */
  readonly onClear: (() => void) | undefined;
  readonly onSave: () => void;
}

/** The title of Explore, with undo and redo, and the ways to share the model and to save the chart. */
export function ExploreHeader({ editor, model, label, onClear, onSave }: ExploreHeaderProps) {
  const permissions = usePermissions();
  const last = useEditor(editor, state => state.history.past.at(-1)?.name);
  const next = useEditor(editor, state => state.history.future.at(-1)?.name);
  return (
    <HeaderTitle title={words.explore.title(label)}>
      <h1 className="truncate text-14 font-semibold">{words.explore.title(label)}</h1>
      {permissions.data && model && isAllowed(model, 'edit') ? (
        <Link
          to="/models/$model"
          params={{ model: model.name }}
          className="shrink-0 text-13 text-accent-text underline max-sm:hidden"
        >
          {t.data.editModel}
        </Link>
      ) : null}
      <span className="flex max-sm:hidden">
        <IconButton label={words.undo(last)} isDisabled={last === undefined} onPress={() => editor.undo()}>
          <Undo2 size={16} aria-hidden />
        </IconButton>
        <IconButton label={words.redo(next)} isDisabled={next === undefined} onPress={() => editor.redo()}>
          <Redo2 size={16} aria-hidden />
        </IconButton>
      </span>
      <span className="ms-auto flex gap-2">
        {onClear ? <Button onPress={onClear}>{words.explore.clear}</Button> : null}
        {permissions.team && model && permissions.data && isAllowed(model, 'manage') ? (
          <ShareButton
            shared={{ kind: 'model', id: model.name, label: model.label }}
            address={`/explore/${encodeURIComponent(model.name)}`}
          />
        ) : null}
        {permissions.create ? (
          <Button look="primary" onPress={onSave}>
            <span className="max-sm:hidden">{words.explore.save}</span>
            <span className="sm:hidden">{words.save}</span>
          </Button>
        ) : null}
      </span>
    </HeaderTitle>
  );
}
