import { hasParts } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { tileName } from '../../canvas/EditableTile.tsx';
import { words } from '../../messages/words.ts';
import { tilesOf } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { Section } from '../Section.tsx';
import type { InspectedTileProps } from './use-inspected-tile.ts';

/** The tiles whose selections filter a tile: none, or some; all if undefined. */
type Listens = Tile['listens'];
type Mode = 'all' | 'none' | 'some';

/** Whether the tile's marks can be selected, and which tiles filter it. */
export function FilteredBySection({ inspected: { id, tile, page, set } }: InspectedTileProps) {
  return (
    <Section title={words.tile.listens}>
      {hasParts(tile) ? (
        <Checkbox
          isSelected={tile.selects !== false}
          onChange={isOn => set('selects', isOn ? undefined : false, { isOwnStep: true })}
        >
          {words.tile.selects}
        </Checkbox>
      ) : null}
      <FilteringTiles
        id={id}
        page={page}
        listens={tile.listens}
        onChange={listens => set('listens', listens, { isOwnStep: true })}
      />
    </Section>
  );
}

interface FilteringTilesProps {
  readonly id: string;
  readonly page: number;
  readonly listens: Listens;
  readonly onChange: (listens: Listens) => void;
}

/** All tiles, none, or a choice among those of the page whose marks can be selected. */
function FilteringTiles({ id, page, listens, onChange }: FilteringTilesProps) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const shown = useEditor(editor, state => state.shown);
  const others = Object.entries(tilesOf(document, page)).filter(
    ([other, tile]) => other !== id && tile.selects !== false && hasParts(tile),
  );
  const mode: Mode = listens === undefined ? 'all' : listens === false ? 'none' : 'some';
  const modes: readonly Mode[] = others.length > 0 ? ['all', 'none', 'some'] : ['all', 'none'];
  const ofMode: Readonly<Record<Mode, () => Listens>> = {
    all: () => undefined,
    none: () => false,
    some: () => others.slice(0, 1).map(([other]) => other),
  };
  return (
    <>
      <InlineSelect
        label={words.tile.listensTo}
        value={mode}
        options={modes.map(value => ({ value, label: words.tile.listening[value] }))}
        onChange={next => next !== mode && onChange(ofMode[next as Mode]())}
      />
      {listens
        ? others.map(([other, tile]) => (
            <Checkbox
              key={other}
              isSelected={listens.includes(other)}
              onChange={isOn => {
                const next = isOn ? [...listens, other] : listens.filter(name => name !== other);
                onChange(next.length > 0 ? next : false);
              }}
            >
              {tileName(other, document, tile, shown)}
            </Checkbox>
          ))
        : null}
    </>
  );
}
