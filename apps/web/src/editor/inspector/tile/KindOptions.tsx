import { labelFrom, measureName, type MeasureEncoding, type Tile } from '@belvedere/document';
import { isMeasureField, type FieldFacts } from '@belvedere/query';
import { Checkbox, IconButton, InlineSelect } from '@belvedere/ui';
import { X } from 'lucide-react';
import { setKey, tilePath } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { DomainFields } from '../field/DomainFields.tsx';
import { NumberField } from '../NumberField.tsx';
import { RangeFields } from '../RangeFields.tsx';

type Of<K extends Tile['kind']> = Extract<Tile, { kind: K }>;
type Put = (key: string, value: unknown, joins?: string) => void;

/**
 * The options of a single kind of tile, such as a figure's comparison, a gauge's goal and a box plot's
 * whiskers.
 */
export function KindOptions({
  id,
  tile,
  profiles,
}: {
  readonly id: string;
  readonly tile: Tile;
  readonly profiles: FieldProfiles;
}) {
  const { editor } = useEditing();
  const page = useEditor(editor, state => state.page);
  const put: Put = (key, value, joins) =>
    void editor.apply(
      words.steps.setting,
      [setKey([...tilePath(page, id), key], value)],
      joins === undefined ? undefined : `${joins}:${id}`,
    );
  switch (tile.kind) {
    case 'kpi':
      return (
        <>
          <Compared tile={tile} put={put} />
          <Target tile={tile} measures={profiles.fields.filter(isMeasureField)} put={put} />
        </>
      );
    case 'gauge':
      return (
        <>
          <Target tile={tile} measures={profiles.fields.filter(isMeasureField)} put={put} />
          <GaugeBands bands={tile.bands ?? []} put={put} />
          <DomainFields
            domain={tile.scale?.domain}
            onChange={domain => put('scale', domain && { domain }, 'scale')}
          />
        </>
      );
    case 'pivot':
      return (
        <Checkbox isSelected={tile.heat ?? false} onChange={heat => put('heat', heat || undefined)}>
          {words.tile.heat}
        </Checkbox>
      );
    case 'boxplot':
      return (
        <InlineSelect
          label={words.tile.whiskers}
          value={tile.extent ?? '5-95'}
          options={(['5-95', 'min-max'] as const).map(value => ({
            value,
            label: words.tile.whiskersAt[value],
          }))}
          onChange={extent => put('extent', extent === '5-95' ? undefined : extent)}
        />
      );
    case 'control':
      return (
        <InlineSelect
          label={words.page.control}
          value={tile.control ?? ''}
          options={Object.entries(words.page.controls).map(([value, label]) => ({ value, label }))}
          onChange={control => put('control', control)}
        />
      );
    default:
      return null;
  }
}

function Compared({ tile: { compare, spark }, put }: { readonly tile: Of<'kpi'>; readonly put: Put }) {
  const days = typeof compare === 'object' ? compare : undefined;
  const lastYear = () => String(new Date().getFullYear() - 1);
  return (
    <>
      <InlineSelect
        label={words.tile.compare}
        value={days ? 'days' : ((compare as string | undefined) ?? '')}
        options={(['', 'previous period', 'previous year', 'days'] as const).map(value => ({
          value,
          label: words.tile.comparedWith[value],
        }))}
        onChange={next =>
          put('compare', next === 'days' ? { from: lastYear(), below: String(Number(lastYear()) + 1) } : next)
        }
      />
      {compare && !days && !(compare === 'previous period' && spark) ? (
        <p className="text-12 text-text-2">
          {compare === 'previous period' ? words.tile.comparesPeriods : words.tile.comparesDates}
        </p>
      ) : null}
      {days ? (
        <RangeFields
          isNumber={false}
          condition={days}
          onChange={({ from, below }) =>
            typeof from === 'string' &&
            typeof below === 'string' &&
            from < below &&
            put('compare', { from, below }, 'compare')
          }
        />
      ) : null}
    </>
  );
}

/** The target of a gauge or a figure: a number, a parameter, or one of the measures. */
function Target({
  tile,
  measures,
  put,
}: {
  readonly tile: Of<'gauge' | 'kpi'>;
  readonly measures: readonly FieldFacts[];
  readonly put: Put;
}) {
  const { editor } = useEditing();
  const parameters = useEditor(editor, state => state.document.parameters) ?? {};
  // As the file has it a target may be a parameter's name.
  const target = tile.target as number | string | MeasureEncoding | undefined;
  const numbers = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.kind === 'number'
      ? [{ value: `:${name}`, label: `: ${parameter.label ?? labelFrom(name)}` }]
      : [],
  );
  const chosen = typeof target === 'object' ? measureName(target) : typeof target === 'string' ? target : '';
  const others = [...numbers, ...measures.map(({ name, label }) => ({ value: name, label }))];
  const isKnown = chosen === '' || others.some(({ value }) => value === chosen);
  return (
    <>
      {others.length > 0 || !isKnown ? (
        <InlineSelect
          label={words.tile.targetIs}
          value={chosen}
          options={[
            { value: '', label: words.tile.targetNumber },
            ...others,
            ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
          ]}
          onChange={name =>
            put(
              'target',
              name === '' || numbers.some(({ value }) => value === name) ? name : { measure: name },
            )
          }
        />
      ) : null}
      {chosen === '' ? (
        <NumberField
          label={words.tile.target}
          value={target as number | undefined}
          onChange={value => put('target', value, 'target')}
        />
      ) : null}
    </>
  );
}

type Band = NonNullable<Of<'gauge'>['bands']>[number];

/** The coloured ranges of a gauge's scale, each by its end. */
function GaugeBands({ bands, put }: { readonly bands: readonly Band[]; readonly put: Put }) {
  const change = (next: readonly Band[], joins?: string) => put('bands', next, joins);
  const set = (i: number, next: Band) => change(bands.with(i, next), `bands:${i}`);
  const last = bands.at(-1);
  // The file may have a parameter's name in place of a number.
  const isNumber = (below: unknown) => below === undefined || typeof below === 'number';
  return (
    <>
      {bands.map(({ below, look }, i) => (
        <div
          key={i}
          role="group"
          aria-label={words.bands.band(i + 1)}
          className="flex flex-col gap-2 rounded-control border border-border p-2"
        >
          <div className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              {isNumber(below) ? (
                <NumberField
                  label={words.bands.below}
                  value={below}
                  isRequired={i < bands.length - 1}
                  onChange={end =>
                    isBetween(end, bands[i - 1]?.below, bands[i + 1]?.below) &&
                    set(i, { ...(end !== undefined && { below: end }), look })
                  }
                />
              ) : (
                <p className="text-13">{String(below)}</p>
              )}
            </div>
            <IconButton
              label={words.bands.remove(i + 1)}
              className="size-6!"
              onPress={() =>
                change(
                  bands.filter((_, other) => other !== i),
                  'bands:remove',
                )
              }
            >
              <X size={13} aria-hidden />
            </IconButton>
          </div>
          <InlineSelect
            label={words.columns.look}
            value={look}
            options={looks.map(value => ({ value, label: words.columns.looks[value] }))}
            onChange={next => set(i, { ...bands[i]!, look: next as Band['look'] })}
          />
        </div>
      ))}
      {bands.length < 8 && (!last || isNumber(last.below)) ? (
        <button
          type="button"
          className="self-start text-12 text-accent-text underline"
          // An open band has to have an end before another one follows.
          onClick={() => change([...withEnd(bands), { look: looks[bands.length % 3]! }], 'bands:add')}
        >
          {words.bands.add}
        </button>
      ) : null}
    </>
  );
}

const looks = ['bad', 'warn', 'good', 'accent'] as const satisfies readonly Band['look'][];

/** Bands whose last one ends, one after the end before it if it was open. */
function withEnd(bands: readonly Band[]): readonly Band[] {
  const last = bands.at(-1);
  if (!last || last.below !== undefined) return bands;
  return bands.with(-1, { below: (bands.at(-2)?.below ?? 0) + 1, look: last.look });
}

/** Whether an end of a band, if it has one, lies between those of its neighbours. */
function isBetween(end: number | undefined, before: unknown, after: unknown): boolean {
  if (end === undefined) return after === undefined;
  return (typeof before !== 'number' || end > before) && (typeof after !== 'number' || end < after);
}
