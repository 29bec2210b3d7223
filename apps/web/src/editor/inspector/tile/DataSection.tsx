import { isMeasure, type Tile } from '@belvedere/document';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { shelvesOf } from '../../encoding/encoding-shelves.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { ShelfField } from '../field/ShelfField.tsx';
import { Section } from '../Section.tsx';
import { KindOptions } from './KindOptions.tsx';
import type { InspectedTile, InspectedTileProps } from './use-inspected-tile.ts';

interface DataSectionProps extends InspectedTileProps {
  readonly profiles: FieldProfiles;
}

/** The fields of a tile by shelf, the options of its kind, and the labels of its marks. */
export function DataSection({ inspected, profiles }: DataSectionProps) {
  const { id, tile, set, replace } = inspected;
  return (
    <Section title={words.tile.data}>
      {shelvesOf[tile.kind].map(shelf => (
        <ShelfField
          key={shelf.key}
          tile={tile}
          shelf={shelf}
          profiles={profiles}
          onChange={(next, joins) => replace(next, words.steps.field, joins)}
        />
      ))}
      {tile.kind === 'map' ? <MapShape shape={tile.shape} set={set} /> : null}
      <KindOptions id={id} tile={tile} profiles={profiles} />
      {isLabelled(tile) ? <LabelSwitch tile={tile} set={set} /> : null}
    </Section>
  );
}

interface SetProps {
  readonly set: InspectedTile['set'];
}

/** The shapes of a map. A shape that the file names and the list does not have stays in the list. */
function MapShape({ shape, set }: SetProps & { readonly shape: string }) {
  const shapes = Object.entries(words.tile.shapes).map(([value, label]) => ({ value, label }));
  const isKnown = shape in words.tile.shapes;
  return (
    <InlineSelect
      label={words.tile.shape}
      value={shape}
      options={isKnown ? shapes : [...shapes, { value: shape, label: shape }]}
      onChange={next => set('shape', next)}
    />
  );
}

type LabelledTile = Extract<Tile, { kind: 'bar' | 'line' | 'area' | 'combo' | 'heatmap' | 'scatter' }>;

const isLabelled = (tile: Tile): tile is LabelledTile =>
  ['bar', 'line', 'area', 'combo', 'heatmap', 'scatter'].includes(tile.kind);

/** Shows values at the marks. Only a choice that is not the kind's default is saved. */
function LabelSwitch({ tile, set }: SetProps & { readonly tile: LabelledTile }) {
  const byDefault = isLabelledByDefault(tile);
  return (
    <Checkbox
      isSelected={tile.labels ?? byDefault}
      onChange={labels => set('labels', labels === byDefault ? undefined : labels)}
    >
      {words.tile.labels}
    </Checkbox>
  );
}

/** Horizontal bars have their values beside them in place of an axis. */
function isLabelledByDefault(tile: LabelledTile): boolean {
  if (tile.kind !== 'bar' || !isMeasure(tile.x) || isMeasure(tile.y)) return false;
  return tile.x.axis !== false && tile.x.axis?.labels !== false;
}
