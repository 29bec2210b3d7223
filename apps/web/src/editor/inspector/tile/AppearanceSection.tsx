import { InlineSelect, TextField } from '@belvedere/ui';
import { useDashboards } from '../../../data/server.ts';
import { shelvesOf } from '../../encoding/encoding-shelves.ts';
import { generatedTitle } from '../../encoding/generated-title.ts';
import { words } from '../../messages/words.ts';
import { useEditing } from '../../state/editing.ts';
import { Section } from '../Section.tsx';
import type { InspectedTileProps } from './use-inspected-tile.ts';

/** A tile's title and description, the scales of its small multiples, and the dashboard that it opens. */
export function AppearanceSection({ inspected }: InspectedTileProps) {
  const { tile, set, titleOf } = inspected;
  const hasMultiples = ('row' in tile && tile.row) || ('column' in tile && tile.column);
  return (
    <Section title={words.tile.look}>
      <TextField
        label={words.tile.title}
        value={tile.title ?? ''}
        placeholder={generatedTitle(tile, titleOf)}
        onChange={title => set('title', title, { step: words.steps.title })}
      />
      <TextField
        label={words.tile.subtitle}
        value={tile.subtitle ?? ''}
        onChange={subtitle => set('subtitle', subtitle, { step: words.steps.title })}
      />
      <TextField
        label={words.tile.description}
        value={tile.description ?? ''}
        onChange={description => set('description', description)}
      />
      {hasMultiples ? (
        <InlineSelect
          label={words.tile.scales}
          value={tile.scales ?? 'shared'}
          options={(['shared', 'free'] as const).map(value => ({
            value,
            label: words.tile.scalesOf[value],
          }))}
          onChange={scales => set('scales', scales === 'free' ? scales : undefined)}
        />
      ) : null}
      {shelvesOf[tile.kind].length > 0 ? <LinkedDashboard inspected={inspected} /> : null}
    </Section>
  );
}

/** The dashboard that the tile's marks lead to. */
function LinkedDashboard({ inspected: { tile, set } }: InspectedTileProps) {
  const { editor } = useEditing();
  const { data } = useDashboards();
  const others = (data?.dashboards ?? []).filter(({ id }) => id !== editor.id);
  return (
    <InlineSelect
      label={words.tile.opens}
      value={tile.opens ?? ''}
      options={[
        { value: '', label: words.tile.nothing },
        ...others.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      onChange={opens => set('opens', opens)}
    />
  );
}
