import { Button, IconButton, Menu, type MenuEntry } from '@belvedere/ui';
import { Ellipsis, Redo2, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';
import { OtherWindows } from '../presence/Flags.tsx';
import { t } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';

interface DraftHeaderProps {
  readonly editor: EditedText;
  readonly title: string;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
  /** More that can be done with the document, hidden on narrow screens. */
  readonly children?: ReactNode;
  /** The same as entries of a menu, on narrow screens. */
  readonly entries?: readonly MenuEntry[];
}

/** The bar above an edited document: the state of its draft, undo and redo, and buttons to leave. */
export function DraftHeader({
  editor,
  title,
  onSave,
  onDiscard,
  onClose,
  children,
  entries = [],
}: DraftHeaderProps) {
  return (
    <>
      <h1 className="truncate text-14 font-semibold" title={title}>
        {title}
      </h1>
      <DraftState editor={editor} />
      <Steps editor={editor} />
      <span className="ms-auto flex items-center gap-1.5">
        <OtherWindows editor={editor} />
        <span className="flex items-center gap-1.5 max-md:hidden">
          {children}
          <DiscardButton editor={editor} onPress={onDiscard} />
        </span>
        <span className="md:hidden">
          <Menu
            label={t.actions.more}
            icon={<Ellipsis size={16} aria-hidden />}
            groups={() => [
              redoEntries(editor),
              entries,
              isChanged(editor.state)
                ? [
                    {
                      id: 'discard',
                      label: words.discard,
                      icon: <Trash2 size={15} aria-hidden />,
                      onAction: onDiscard,
                    },
                  ]
                : [],
            ]}
          />
        </span>
        <SaveButton editor={editor} onPress={onSave} />
        <Button look="quiet" onPress={onClose}>
          {words.close}
        </Button>
      </span>
    </>
  );
}

/** Redo on a phone, whose header has no room for its button beside the title. */
function redoEntries(editor: EditedText): readonly MenuEntry[] {
  const next = editor.state.history.future.at(-1)?.name;
  if (next === undefined) return [];
  const icon = <Redo2 size={15} aria-hidden />;
  return [{ id: 'redo', label: words.redo(next), icon, onAction: () => editor.redo() }];
}

const isChanged = ({ text, base }: EditedText['state']) => text !== base.text;

/** In a word. */
function DraftState({ editor }: { readonly editor: EditedText }) {
  const state = useEditor(editor, ({ text, base, saving, reach, problems }) =>
    reach !== 'ok'
      ? reach
      : problems.length > 0
        ? 'broken'
        : saving === 'saving'
          ? 'saving'
          : text !== base.text
            ? 'draft'
            : saving === 'saved'
              ? 'saved'
              : base.hash === undefined
                ? 'guessed'
                : 'clean',
  );
  const tone = {
    away: 'bg-bad-weak text-bad',
    signedOut: 'bg-warn-weak text-warn',
    broken: 'bg-warn-weak text-warn',
    saving: 'bg-hover text-text-2',
    draft: 'bg-accent-weak text-accent-text',
    saved: 'bg-good-weak text-good',
    clean: 'bg-hover text-text-2',
    guessed: 'bg-hover text-text-2',
  }[state];
  return (
    <span
      role="status"
      data-testid="draft-state"
      className={`shrink-0 rounded-full px-2 py-0.5 text-12 max-sm:hidden ${tone}`}
    >
      {words.state[state]}
    </span>
  );
}

function Steps({ editor }: { readonly editor: EditedText }) {
  // Only the names, so that typing does not render this again.
  const last = useEditor(editor, state => state.history.past.at(-1)?.name);
  const next = useEditor(editor, state => state.history.future.at(-1)?.name);
  return (
    <span className="flex">
      <IconButton label={words.undo(last)} isDisabled={last === undefined} onPress={() => editor.undo()}>
        <Undo2 size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={words.redo(next)}
        isDisabled={next === undefined}
        onPress={() => editor.redo()}
        className="max-sm:hidden"
      >
        <Redo2 size={16} aria-hidden />
      </IconButton>
    </span>
  );
}

function DiscardButton({ editor, onPress }: { readonly editor: EditedText; readonly onPress: () => void }) {
  const canDiscard = useEditor(editor, isChanged);
  return (
    <Button isDisabled={!canDiscard} onPress={onPress}>
      {words.discard}
    </Button>
  );
}

/** A guessed document can be saved without a change. */
function SaveButton({ editor, onPress }: { readonly editor: EditedText; readonly onPress: () => void }) {
  const canSave = useEditor(
    editor,
    state => (state.text !== state.base.text || state.base.hash === undefined) && state.problems.length === 0,
  );
  return (
    <Button look="primary" isDisabled={!canSave} onPress={onPress}>
      {words.save}
    </Button>
  );
}
