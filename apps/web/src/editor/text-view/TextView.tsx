import { pathAt, rangeOfPath, type DocumentProblem } from '@belvedere/document';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';
import { words } from '../messages/words.ts';
import { shadowPosition } from './shadow-position.ts';
import { createYamlEditor, showPosition, showProblems, showText, type Names } from './yaml-editor.ts';

/** The page follows the cursor once it rests. */
const followMs = 120;

interface TextViewProps {
  readonly editor: EditedText;
  readonly label: string;
  readonly names: Names;
  /** Errors of a valid text against the model and the tables. */
  readonly found: readonly Pick<DocumentProblem, 'line' | 'column' | 'message' | 'suggestion'>[];
  readonly onSave: () => void;
}

/** The text of a document, in sync with the page: edits on either side change the other. */
export function TextView({ editor, label, names, found, onSave }: TextViewProps) {
  const position = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const known = useRef({ names, onSave });
  useEffect(() => {
    known.current = { names, onSave };
  }, [names, onSave]);
  const problems = useEditor(editor, state => state.problems);

  useEffect(() => {
    const { root, parent, remove } = shadowPosition(position.current!);
    let following: ReturnType<typeof setTimeout> | undefined;
    let isFollowing = false;
    const created = createYamlEditor({
      parent,
      root,
      text: editor.state.text,
      label,
      kind: editor.kind,
      names: {
        offered: (wanted, path) => known.current.names.offered(wanted, path),
        describe: word => known.current.names.describe(word),
      },
      onType: text => editor.type(words.steps.typing, text),
      onCursor: offset => {
        clearTimeout(following);
        following = setTimeout(() => {
          isFollowing = true;
          editor.chooseAt(pathAt(editor.state.text, offset));
          isFollowing = false;
        }, followMs);
      },
      onUndo: () => editor.undo(),
      onRedo: () => editor.redo(),
      onSave: () => known.current.onSave(),
      onLeave: () => leave.current?.focus(),
    });
    const positionIn = (selected: string) => {
      const path = editor.pathOf(selected);
      return path && rangeOfPath(editor.state.text, path);
    };
    view.current = created;
    const stop = editor.store.subscribe((state, before) => {
      if (state.text !== before.text) showText(created, state.text);
      // A selection on the page moves the cursor. A selection by the cursor does not.
      if (state.selected !== before.selected && state.selected.length === 1 && !isFollowing) {
        clearTimeout(following);
        const range = positionIn(state.selected[0]!);
        if (range) showPosition(created, range.from);
      }
    });
    const [selected] = editor.state.selected;
    const range = selected === undefined ? undefined : positionIn(selected);
    if (range) showPosition(created, range.from);
    return () => {
      stop();
      clearTimeout(following);
      created.destroy();
      remove();
    };
  }, [editor, label]);

  // The errors of the current text; if it is valid, those that the server found against the models.
  const wrong = problems.length > 0 ? problems : found;
  useEffect(() => {
    if (view.current) showProblems(view.current, wrong, () => {});
  }, [wrong]);

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="text-view">
      <div ref={position} className="min-h-0 flex-1 overflow-hidden" />
      {wrong.length > 0 ? (
        <ul
          className="max-h-32 shrink-0 overflow-auto border-t border-border bg-bad-weak px-3 py-2 text-12"
          aria-live="polite"
          aria-label={words.text.problems(wrong.length)}
        >
          {wrong.map((problem, i) => (
            <li key={`${i}:${problem.message}`}>
              <span className="tabular font-medium">{words.text.line(problem.line, problem.column)}: </span>
              {problem.message}
            </li>
          ))}
        </ul>
      ) : null}
      <button
        ref={leave}
        type="button"
        className="shrink-0 border-t border-border px-3 py-1 text-start text-11 text-text-3"
      >
        {words.text.leave}
      </button>
    </div>
  );
}
