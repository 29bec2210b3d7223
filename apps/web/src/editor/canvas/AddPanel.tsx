import type { Tile, TileKind } from '@belvedere/document';
import { formatDay, formatNumber, formatValue } from '@belvedere/chart';
import { isMeasureField, suggestTile, type FieldFacts } from '@belvedere/query';
import { Button, InlineSelect, SearchField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { focusTileText } from '../inspector/tile/focus-tile-text.ts';
import { tileTitle } from '../../dashboard/tiles/describe.ts';
import { locale, t } from '../../messages/messages.ts';
import { isAllowed } from '../../data/session/permissions.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { addTile, tilePath, tilesOf } from '../state/commands.ts';
import { useDragSource } from './drag-and-drop.ts';
import { run, useEditing } from '../state/editing.ts';
import { matchesSearch, starterTile, type FieldProfiles } from '../encoding/field-profiles.ts';
import { drawnMeasure, isRowCount, placementOf, withMeasure } from '../encoding/encoding-shelves.ts';
import { withFollowingTitle } from '../encoding/generated-title.ts';
import { commonKinds, kindIcons, otherKinds, typeGlyphs } from '../encoding/kinds.ts';
import { words } from '../messages/words.ts';
import { AddFieldButton } from '../../model-editor/calculated-fields/AddFieldButton.tsx';

/** The kinds of tiles and the fields of the model that can be added to the page. */
export function AddPanel() {
  const { editor, profiles, models } = useEditing();
  const [isAll, setIsAll] = useState(false);
  /** The tile that was added last as a kind: its fields are guessed until others are chosen. */
  const [guessed, setGuessed] = useState<string>();
  const kinds = isAll ? [...commonKinds, ...otherKinds] : commonKinds;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3">
      <section aria-label={words.add.kinds}>
        <h2 className="pb-1.5 text-12 font-semibold">{words.add.kinds}</h2>
        <div className="grid grid-cols-3 gap-1.5">
          {kinds.map(kind => (
            <KindButton key={kind} kind={kind} onAdded={setGuessed} />
          ))}
        </div>
        <Button look="quiet" className="mt-1 w-full justify-center text-12" onPress={() => setIsAll(!isAll)}>
          {isAll ? words.add.fewerKinds : words.add.moreKinds}
        </Button>
      </section>
      {profiles ? (
        <FieldList profiles={profiles} guessed={guessed} onChosen={() => setGuessed(undefined)} />
      ) : (
        <section className="flex flex-col gap-2">
          <p className="text-12 text-text-2">{words.add.noModel}</p>
          <InlineSelect
            label={words.page.model}
            value=""
            options={[
              { value: '', label: '–' },
              ...models.map(({ name, label }) => ({ value: name, label })),
            ]}
            onChange={model =>
              model && editor.apply(words.steps.model, [{ kind: 'set', path: ['model'], value: model }])
            }
          />
        </section>
      )}
    </div>
  );
}

function KindButton({
  kind,
  onAdded,
}: {
  readonly kind: TileKind;
  readonly onAdded: (id: string | undefined) => void;
}) {
  const { editor, profiles } = useEditing();
  const Icon = kindIcons[kind];
  const tile = starterTile(kind, profiles);
  return (
    <button
      type="button"
      {...useDragSource({ kind }, tile !== undefined)}
      disabled={!tile}
      title={tile ? words.kinds[kind] : words.tile.cannot(words.kinds[kind])}
      className="flex h-[52px] cursor-grab select-none flex-col items-center justify-center gap-1 rounded-control border border-border bg-surface text-11 text-text-2 hover:border-border-strong hover:text-text disabled:cursor-default disabled:opacity-40"
      onClick={() => {
        if (!tile) return;
        const change = addTile(editor.state.document, editor.state.page, tile);
        if (!run(editor, words.steps.add, change)) return;
        onAdded(change.selects?.[0]);
        if (kind === 'text') focusTileText();
      }}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {words.kinds[kind]}
    </button>
  );
}

interface FieldListProps {
  readonly profiles: FieldProfiles;
  readonly guessed: string | undefined;
  readonly onChosen: () => void;
}

function FieldList({ profiles, guessed, onChosen }: FieldListProps) {
  const { editor, models } = useEditing();
  const permissions = usePermissions();
  const [search, setSearch] = useState('');
  const model = models.find(({ name }) => name === profiles.name);
  const found = profiles.fields.filter(field => matchesSearch(field, search));
  const groups = [
    { name: words.add.measures, fields: found.filter(isMeasureField) },
    { name: words.add.dimensions, fields: found.filter(field => !isMeasureField(field)) },
  ].filter(group => group.fields.length > 0);
  /**
   * A measure takes the place of a guessed one of the selected tile. Other fields become new tiles, of the
   * selected tile's measure.
   */
  const add = (field: FieldFacts) => {
    const { document, page, selected } = editor.state;
    const id = selected.length === 1 ? selected[0] : undefined;
    const chosen = id === undefined ? undefined : tilesOf(document, page)[id];
    const tile = chosen && (chosen.model ?? document.model) === profiles.name ? chosen : undefined;
    onChosen();
    const placement =
      tile && isMeasureField(field)
        ? placementOf(tile, field, measure => id === guessed || (tile.kind !== 'kpi' && isRowCount(measure)))
        : undefined;
    if (placement?.replaces === undefined)
      return run(editor, words.steps.add, addTile(document, page, chartOf(field, tile, profiles)));
    const value = withFollowingTitle(tile!, placement.tile, one => tileTitle(one, model));
    return run(editor, words.steps.field, {
      edits: [{ kind: 'set', path: tilePath(page, id!), value }],
      selects: [id!],
    });
  };
  return (
    <section aria-label={words.add.fields(profiles.label)} className="flex flex-col">
      <div className="flex items-baseline justify-between gap-2 pb-1.5">
        <h2 className="min-w-0 truncate text-12 font-semibold">{words.add.fields(profiles.label)}</h2>
        {permissions.data && model && isAllowed(model, 'edit') ? (
          <Link
            to="/models/$model"
            params={{ model: model.name }}
            title={words.add.editModelHint}
            className="shrink-0 text-12 text-accent-text underline"
          >
            {t.data.editModel}
          </Link>
        ) : null}
      </div>
      <SearchField label={words.add.find} value={search} onChange={setSearch} />
      {model ? <AddFieldButton model={model} onAdded={() => setSearch('')} /> : null}
      <p className="py-1.5 text-11 text-text-3">{words.add.hint}</p>
      {groups.length === 0 ? <p className="py-2 text-12 text-text-2">{words.add.none}</p> : null}
      {groups.map(group => (
        <div key={group.name}>
          <h3 className="pt-1.5 pb-0.5 text-11 text-text-3">{group.name}</h3>
          <ul>
            {group.fields.map(field => (
              <li key={field.name}>
                <FieldButton field={field} profiles={profiles} onAdd={() => add(field)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** A tile of a field: of a dimension, the measure of the tile that is selected by it. */
function chartOf(field: FieldFacts, selected: Tile | undefined, profiles: FieldProfiles): Tile {
  const measure = selected && drawnMeasure(selected);
  if (!measure || isMeasureField(field) || isRowCount(measure)) return suggestTile([field]);
  const known = 'measure' in measure ? profiles.of(measure.measure) : undefined;
  if (known) return suggestTile([field, known]);
  const plain = suggestTile([field]);
  const { format: _, ...unformatted } = measure;
  return withMeasure(plain, unformatted)?.tile ?? plain;
}

function FieldButton({
  field,
  profiles,
  onAdd,
}: {
  readonly field: FieldFacts;
  readonly profiles: FieldProfiles;
  readonly onAdd: () => void;
}) {
  const top = profiles.profile?.fields[field.name]?.top ?? [];
  const maxRows = Math.max(1, ...top.map(entry => entry.rows));
  return (
    <button
      type="button"
      {...useDragSource({ field: field.name })}
      data-field={field.name}
      className="group/field flex h-7 w-full cursor-grab select-none items-center gap-2 rounded-control px-1.5 text-start text-13 hover:bg-hover pointer-coarse:h-11"
      title={[field.description, [field.name, about(field)].filter(Boolean).join(' · ')]
        .filter(Boolean)
        .join('\n')}
      onClick={onAdd}
    >
      <span aria-hidden className="w-5 shrink-0 text-center font-mono text-11 text-text-3">
        {isMeasureField(field) ? 'fx' : (typeGlyphs[field.type!] ?? '?')}
      </span>
      <span className="min-w-0 flex-1 truncate">{field.label}</span>
      {field.type === 'text' && top.length > 1 ? (
        <span aria-hidden className="flex h-3.5 items-end gap-px">
          {top.slice(0, 8).map(entry => (
            <span
              key={String(entry.value)}
              className="w-[3px] bg-border-strong"
              style={{ height: `${Math.max(12, (entry.rows / maxRows) * 100)}%` }}
            />
          ))}
        </span>
      ) : null}
    </button>
  );
}

/** A few words about a field's values. */
function about({ type, profile }: FieldFacts): string {
  if (!profile) return '';
  if (type === 'text' || type === 'boolean')
    return words.add.distinct(formatNumber(profile.distinct, 'integer', locale, 'full'));
  const { min, max } = profile;
  if (typeof min !== 'number' || typeof max !== 'number') return '';
  const show = (value: number) =>
    type === 'date' || type === 'time' || type === 'instant'
      ? formatDay(value, locale)
      : formatValue(value, locale);
  return words.add.between(show(min), show(max));
}
