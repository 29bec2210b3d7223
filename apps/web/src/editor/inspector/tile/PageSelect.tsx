import { InlineSelect } from '@belvedere/ui';
import { words } from '../../messages/words.ts';
import { moveToPage } from '../../state/commands.ts';
import { run, useEditing, useEditor } from '../../state/editing.ts';

/** Moves tiles to another page of the dashboard, if it has one. */
export function PageSelect({ ids }: { readonly ids: readonly string[] }) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  if (document.pages.length < 2) return null;
  const moveTo = (target: number) =>
    target !== page &&
    run(editor, words.steps.page, { ...moveToPage(document, page, target, ids), selects: [] });
  return (
    <InlineSelect
      label={words.tile.page}
      value={String(page)}
      options={document.pages.map(({ title }, i) => ({ value: String(i), label: title }))}
      onChange={target => moveTo(Number(target))}
    />
  );
}
