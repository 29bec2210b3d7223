import { pathAt, rangeOfPath } from '@belvedere/document';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { tilePath } from '../commands.ts';
import { useEditing, useEditor } from '../editing.ts';
import { words } from '../messages/words.ts';
import { createYamlEditor, showPlace, showProblems, showText } from './yaml-editor.ts';

/** The page follows the cursor once it rests. */
const followMs = 120;

/** The dashboard's text, in step with the page: what is typed moves the page, what is moved there changes the text. */
export function TextView({ onSave }: { readonly onSave: () => void }) {
  const { editor, facts, models } = useEditing();
  const place = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const known = useRef({ facts, models, onSave });
  useEffect(() => {
    known.current = { facts, models, onSave };
  }, [facts, models, onSave]);
  const problems = useEditor(editor, state => state.problems);
  const draftProblems = useEditor(editor, state => state.shown.dashboard.problems);

  useEffect(() => {
    const host = document.createElement('div');
    host.className = 'h-full';
    place.current!.append(host);
    // Its style sheets are constructed ones, which only a shadow root takes under our content security policy.
    const root = host.attachShadow({ mode: 'open' });
    const inner = document.createElement('div');
    inner.style.height = '100%';
    root.append(inner);
    let following: ReturnType<typeof setTimeout> | undefined;
    let isFollowing = false;
    const created = createYamlEditor({
      parent: inner,
      root,
      text: editor.state.text,
      label: words.text.label,
      facts: () => known.current.facts,
      models: () => known.current.models.map(({ name }) => name),
      onType: text => editor.type(words.steps.typing, text),
      onCursor: offset => {
        clearTimeout(following);
        following = setTimeout(() => follow(offset), followMs);
      },
      onUndo: () => editor.undo(),
      onRedo: () => editor.redo(),
      onSave: () => known.current.onSave(),
      onLeave: () => leave.current?.focus(),
    });
    function follow(offset: number): void {
      const path = pathAt(editor.state.text, offset);
      const [first, page, third, id] = path;
      if (first !== 'pages' || typeof page !== 'number') return;
      if (page !== editor.state.page && page < editor.state.document.pages.length) editor.goTo(page);
      if (third !== 'tiles' || typeof id !== 'string' || !(id in (editor.state.document.pages[page]?.tiles ?? {}))) return;
      isFollowing = true;
      editor.select(id);
      isFollowing = false;
    }
    view.current = created;
    const stop = editor.store.subscribe((state, before) => {
      if (state.text !== before.text) showText(created, state.text);
      // Chosen on the page: the text goes there. Chosen by the cursor, it is there.
      if (state.selected !== before.selected && state.selected.length === 1 && !isFollowing) {
        clearTimeout(following);
        const range = rangeOfPath(state.text, tilePath(state.page, state.selected[0]!));
        if (range) showPlace(created, range.from);
      }
    });
    const [selected] = editor.state.selected;
    const range = selected === undefined ? undefined : rangeOfPath(editor.state.text, tilePath(editor.state.page, selected));
    if (range) showPlace(created, range.from);
    return () => {
      stop();
      clearTimeout(following);
      created.destroy();
      host.remove();
    };
  }, [editor]);

  // Of the text as it stands; where that is whole, what the server found wrong with it against the models.
  const wrong = problems.length > 0 ? problems : draftProblems;
  useEffect(() => {
    if (view.current) showProblems(view.current, wrong, () => {});
  }, [wrong]);

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="text-view">
      <div ref={place} className="min-h-0 flex-1 overflow-hidden" />
      {wrong.length > 0 ? (
        <ul className="max-h-32 shrink-0 overflow-auto border-t border-border bg-bad-weak px-3 py-2 text-12" aria-live="polite" aria-label={words.text.problems(wrong.length)}>
          {wrong.map(problem => <li key={`${problem.line}:${problem.column}:${problem.message}`}><span className="tabular font-medium">{words.text.line(problem.line, problem.column)}: </span>{problem.message}</li>)}
        </ul>
      ) : null}
      <button ref={leave} type="button" className="shrink-0 border-t border-border px-3 py-1 text-start text-11 text-text-3">{words.text.leave}</button>
    </div>
  );
}
