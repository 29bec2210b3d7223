import { Button } from '@belvedere/ui';
import { align, boxesOf, position, type Alignment } from '../../canvas/layout.ts';
import { words } from '../../messages/words.ts';
import { positionEdits, tilesOf } from '../../state/commands.ts';
import { run, useEditing, useEditor } from '../../state/editing.ts';
import { Section } from '../Section.tsx';
import { PageSelect } from './PageSelect.tsx';

/** The inspector of several selected tiles: aligns them, or moves them to another page. */
export function TilesPanel({ ids }: { readonly ids: readonly string[] }) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const boxes = boxesOf(tilesOf(document, page));
  const alignTo = (alignment: Alignment) =>
    run(editor, words.steps.align, {
      edits: positionEdits(page, boxes, position(boxes, align(boxes, ids, alignment))),
    });
  return (
    <Section title={words.canvas.chosen(ids.length)}>
      <p className="text-12 text-text-2">{words.tile.align}</p>
      <div className="grid grid-cols-3 gap-1.5">
        {(Object.keys(words.tile.aligned) as Alignment[]).map(alignment => (
          <Button key={alignment} className="justify-center" onPress={() => alignTo(alignment)}>
            {words.tile.aligned[alignment]}
          </Button>
        ))}
      </div>
      <PageSelect ids={ids} />
    </Section>
  );
}
