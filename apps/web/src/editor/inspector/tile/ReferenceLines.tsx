import { labelFrom, type Reference, type Tile, type Trend } from '@belvedere/document';
import { isTemporal } from '@belvedere/model';
import { InlineSelect, IconButton, TextField } from '@belvedere/ui';
import { X } from 'lucide-react';
import { setKey, tilePath } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { RangeFields } from '../RangeFields.tsx';
import { NumberField } from '../NumberField.tsx';

/**
 * The kinds of references: a line at a value, mean or median, a band, a line or range along x, or a
 * parameter's value.
 */
type Form = 'value' | 'mean' | 'median' | 'band' | 'at' | 'stretch' | `:${string}`;

type GuidedTile = Extract<Tile, { references?: unknown }>;

export const hasReferenceLines = (tile: Tile): tile is GuidedTile =>
  ['bar', 'line', 'area', 'combo', 'scatter'].includes(tile.kind);

/** The reference lines, bands and trend of a chart. */
export function ReferenceLines({
  id,
  tile,
  profiles,
}: {
  readonly id: string;
  readonly tile: GuidedTile;
  readonly profiles: FieldProfiles | undefined;
}) {
  const { editor } = useEditing();
  const page = useEditor(editor, state => state.page);
  const parameters = useEditor(editor, state => state.document.parameters) ?? {};
  const numbers = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.kind === 'number'
      ? [{ value: `:${name}` as const, label: `: ${parameter.label ?? labelFrom(name)}` }]
      : [],
  );
  const path = tilePath(page, id);
  const references = tile.references ?? [];
  const isTime = 'field' in tile.x && isTemporal(profiles?.of(tile.x.field ?? '')?.type ?? 'text');
  const put = (next: readonly Reference[], joins: string) =>
    editor.apply(words.steps.setting, [setKey([...path, 'references'], next)], `references:${id}:${joins}`);
  const set = (i: number, reference: Reference) => put(references.with(i, reference), String(i));
  const forms: readonly { readonly value: Form; readonly label: string }[] = [
    ...(['value', 'mean', 'median', 'band', 'at', 'stretch'] as const).map(value => ({
      value,
      label: words.guides.forms[value],
    })),
    ...numbers,
  ];
  return (
    <>
      {references.map((reference, i) => {
        const form = formOf(reference);
        return (
          <div
            key={i}
            role="group"
            aria-label={words.guides.one(i + 1)}
            className="flex flex-col gap-2 rounded-control border border-border p-2"
          >
            <div className="flex items-end gap-1">
              <div className="min-w-0 flex-1">
                <InlineSelect
                  label={words.guides.form}
                  value={form}
                  options={[
                    ...forms,
                    ...(forms.some(({ value }) => value === form) ? [] : [{ value: form, label: form }]),
                  ]}
                  onChange={next => set(i, newReference(next as Form, isTime, reference.label))}
                />
              </div>
              <IconButton
                label={words.guides.remove(i + 1)}
                className="size-6!"
                onPress={() =>
                  put(
                    references.filter((_, other) => other !== i),
                    'remove',
                  )
                }
              >
                <X size={13} aria-hidden />
              </IconButton>
            </div>
            {form === 'value' ? (
              <NumberField
                label={words.guides.at}
                value={reference.y as number}
                onChange={y => y !== undefined && set(i, { ...reference, y })}
              />
            ) : null}
            {form === 'band' ? (
              <RangeFields
                isNumber
                condition={{
                  from: (reference.y as [number, number])[0],
                  below: (reference.y as [number, number])[1],
                }}
                onChange={({ from, below }) =>
                  typeof from === 'number' &&
                  typeof below === 'number' &&
                  set(i, { ...reference, y: [from, below] })
                }
              />
            ) : null}
            {form === 'at' ? (
              <RangeFields
                isNumber={!isTime}
                isOne
                condition={{ from: reference.x as string | number }}
                onChange={({ from }) => from !== undefined && set(i, { ...reference, x: from })}
              />
            ) : null}
            {form === 'stretch' ? (
              <RangeFields
                isNumber={!isTime}
                condition={{
                  from: (reference.x as [string, string])[0],
                  below: (reference.x as [string, string])[1],
                }}
                onChange={({ from, below }) =>
                  from !== undefined &&
                  below !== undefined &&
                  set(i, { ...reference, x: [from, below] as [string, string] })
                }
              />
            ) : null}
            <TextField
              label={words.guides.label}
              value={reference.label ?? ''}
              onChange={label => {
                const { label: _, ...rest } = reference;
                set(i, label === '' ? rest : { ...rest, label });
              }}
            />
          </div>
        );
      })}
      {references.length < 12 ? (
        <button
          type="button"
          className="self-start text-12 text-accent-text underline"
          onClick={() => put([...references, { y: 'mean' }], 'add')}
        >
          {words.guides.add}
        </button>
      ) : null}
      <TrendFields
        tile={tile}
        onChange={trend =>
          editor.apply(words.steps.setting, [setKey([...path, 'trend'], trend)], `trend:${id}`)
        }
      />
    </>
  );
}

function formOf({ x, y }: Reference): Form {
  if (typeof y === 'string') return y as Form;
  if (y !== undefined) return Array.isArray(y) ? 'band' : 'value';
  return Array.isArray(x) ? 'stretch' : typeof x === 'string' && x.startsWith(':') ? (x as Form) : 'at';
}

/** A reference of another form keeps its label. */
function newReference(form: Form, isTime: boolean, label: string | undefined): Reference {
  const named = label === undefined ? {} : { label };
  const year = String(new Date().getFullYear());
  switch (form) {
    case 'value':
      return { y: 0, ...named };
    case 'band':
      return { y: [0, 1], ...named };
    case 'at':
      return { x: isTime ? year : 0, ...named };
    case 'stretch':
      return { x: isTime ? [year, String(Number(year) + 1)] : [0, 1], ...named };
    default:
      return { y: form as 'mean', ...named };
  }
}

/** A trend is drawn for one series along a continuous axis. */
function TrendFields({
  tile,
  onChange,
}: {
  readonly tile: GuidedTile;
  readonly onChange: (trend: Trend | undefined) => void;
}) {
  const { trend } = tile;
  const how = trend === undefined ? '' : typeof trend === 'object' ? 'movingAverage' : trend;
  const offered =
    tile.kind === 'scatter' ? (['', 'linear'] as const) : (['', 'linear', 'loess', 'movingAverage'] as const);
  return (
    <>
      <InlineSelect
        label={words.guides.trend}
        value={how}
        options={offered.map(value => ({ value, label: words.guides.trends[value] }))}
        onChange={next =>
          onChange(
            next === '' ? undefined : next === 'movingAverage' ? { movingAverage: 7 } : (next as 'linear'),
          )
        }
      />
      {typeof trend === 'object' ? (
        <NumberField
          label={words.guides.positions}
          value={trend.movingAverage}
          onChange={value =>
            value !== undefined &&
            Number.isInteger(value) &&
            value >= 2 &&
            value <= 400 &&
            onChange({ movingAverage: value })
          }
        />
      ) : null}
    </>
  );
}
