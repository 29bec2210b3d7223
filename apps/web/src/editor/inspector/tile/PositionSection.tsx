import { Name, type GridBox } from '@belvedere/document';
import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { boxesOf, position } from '../../canvas/layout.ts';
import { words } from '../../messages/words.ts';
import { positionEdits, tilePath, tilesOf } from '../../state/commands.ts';
import { run, useEditing, useEditor } from '../../state/editing.ts';
import { NumberField } from '../NumberField.tsx';
import { Section } from '../Section.tsx';
import { PageSelect } from './PageSelect.tsx';
import type { InspectedTileProps } from './use-inspected-tile.ts';

/** The tile's position and size on the grid, its page and its ID. */
export function PositionSection({ inspected: { id, page } }: InspectedTileProps) {
  return (
    <Section title={words.tile.position}>
      <BoxFields id={id} page={page} />
      <PageSelect ids={[id]} />
      <IdField id={id} page={page} key={id} />
    </Section>
  );
}

interface TileOfPage {
  readonly id: string;
  readonly page: number;
}

/** Column, row, width and height in cells of the grid. Columns and rows count from 1. */
function BoxFields({ id, page }: TileOfPage) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const boxes = boxesOf(tilesOf(document, page));
  const [column, row, width, height] = boxes[id]!;
  const move = (box: GridBox) =>
    run(
      editor,
      words.steps.move,
      { edits: positionEdits(page, boxes, position(boxes, { [id]: box })) },
      `place:${id}`,
    );
  const fields: readonly (readonly [label: string, value: number, boxWith: (value: number) => GridBox])[] = [
    [words.tile.column, column + 1, value => [value - 1, row, width, height]],
    [words.tile.row, row + 1, value => [column, value - 1, width, height]],
    [words.tile.width, width, value => [column, row, value, height]],
    [words.tile.height, height, value => [column, row, width, value]],
  ];
  return (
    <div className="grid grid-cols-4 gap-2">
      {fields.map(([label, value, boxWith]) => (
        <NumberField
          key={label}
          label={label}
          value={value}
          onChange={next => next !== undefined && move(boxWith(next))}
        />
      ))}
    </div>
  );
}

/** The ID of the tile in the text, and in links to selections on it. */
function IdField({ id, page }: TileOfPage) {
  const { editor } = useEditing();
  const [typed, setTyped] = useState(id);
  const taken = new Set(editor.state.document.pages.flatMap(({ tiles }) => Object.keys(tiles)));
  const isFree = typed === id || (Name.safeParse(typed).success && !taken.has(typed));
  const rename = () => {
    if (typed !== id && isFree)
      run(editor, words.steps.rename, {
        edits: [{ kind: 'rename', path: tilePath(page, id), to: typed }],
        selects: [typed],
      });
  };
  return (
    <div onBlur={rename}>
      <TextField
        label={words.tile.name}
        value={typed}
        onChange={setTyped}
        onEnter={rename}
        {...(!isFree && { error: words.tile.nameTaken })}
      />
    </div>
  );
}
