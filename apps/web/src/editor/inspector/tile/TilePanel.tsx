import type { Tile, TileKind } from '@belvedere/document';
import { shelvesOf } from '../../encoding/encoding-shelves.ts';
import { words } from '../../messages/words.ts';
import { FilterList } from '../FilterList.tsx';
import { Section } from '../Section.tsx';
import { Annotations, hasAnnotations } from './Annotations.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { ChartKinds } from './ChartKinds.tsx';
import { DataSection } from './DataSection.tsx';
import { Drill } from './Drill.tsx';
import { FilteredBySection } from './FilteredBySection.tsx';
import { ImageSection } from './ImageSection.tsx';
import { PositionSection } from './PositionSection.tsx';
import { hasReferenceLines, ReferenceLines } from './ReferenceLines.tsx';
import { TableColumns } from './TableColumns.tsx';
import { TextSection } from './TextSection.tsx';
import { useInspectedTile, type InspectedTileProps } from './use-inspected-tile.ts';
import { ValueColours } from './ValueColours.tsx';
import { VisibilitySection } from './VisibilitySection.tsx';

/** Kinds whose marks can be drilled into: those of one field, or of two. */
const drillableKinds: ReadonlySet<TileKind> = new Set<TileKind>([
  'bar',
  'line',
  'area',
  'combo',
  'heatmap',
  'waterfall',
  'funnel',
  'radar',
]);

/** The inspector of the selected tile: its kind, data, appearance, filters and position. */
export function TilePanel({ id }: { readonly id: string }) {
  const inspected = useInspectedTile(id);
  if (!inspected) return null;
  return (
    <div data-testid="tile-panel">
      <ContentSections inspected={inspected} />
      <AppearanceSection inspected={inspected} />
      <InteractionSections inspected={inspected} />
      <ValueColours id={id} />
      <VisibilitySection id={id} tile={inspected.tile} profiles={inspected.profiles} />
      <PositionSection inspected={inspected} />
    </div>
  );
}

/** What the tile shows: text, an image, or fields with the guides around them. */
function ContentSections({ inspected }: InspectedTileProps) {
  const { id, tile, profiles, replace } = inspected;
  return (
    <>
      <Section title={words.tile.showAs}>
        <ChartKinds
          tile={tile}
          onKind={next => replace(next, words.steps.kind)}
          profiles={profiles}
          hasPreviews
        />
      </Section>
      {tile.kind === 'text' ? <TextSection inspected={inspected} text={tile.text} /> : null}
      {tile.kind === 'image' ? <ImageSection inspected={inspected} image={tile} /> : null}
      {profiles && hasShelves(tile) ? <DataSection inspected={inspected} profiles={profiles} /> : null}
      {hasReferenceLines(tile) ? (
        <Section title={words.guides.title}>
          <ReferenceLines id={id} tile={tile} profiles={profiles} />
        </Section>
      ) : null}
      {hasAnnotations(tile) ? (
        <Section title={words.annotations.title}>
          <Annotations id={id} tile={tile} />
        </Section>
      ) : null}
      {tile.kind === 'table' && profiles ? (
        <Section title={words.columns.title}>
          <TableColumns id={id} tile={tile} profiles={profiles} />
        </Section>
      ) : null}
    </>
  );
}

/** How the tile is filtered, and what its marks do. */
function InteractionSections({ inspected }: InspectedTileProps) {
  const { id, tile, path, profiles } = inspected;
  if (!profiles) return null;
  const isFiltered = hasShelves(tile) && tile.kind !== 'control';
  return (
    <>
      {isFiltered ? <FilteredBySection inspected={inspected} /> : null}
      {drillableKinds.has(tile.kind) ? (
        <Section title={words.tile.drill}>
          <Drill id={id} tile={tile} profiles={profiles} />
        </Section>
      ) : null}
      {isFiltered ? (
        <Section title={words.tile.filters}>
          <FilterList filters={tile.filters ?? []} path={[...path, 'filters']} profiles={profiles} isTile />
        </Section>
      ) : null}
    </>
  );
}

const hasShelves = ({ kind }: Tile): boolean => shelvesOf[kind].length > 0;
