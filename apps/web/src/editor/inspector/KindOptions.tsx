import { labelFrom, measureName, type MeasureEncoding, type Tile } from '@belvedere/document';
import { isMeasureField, type FieldFacts } from '@belvedere/query';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { setKey, tilePath } from '../state/commands.ts';
import { useEditing, useEditor } from '../state/editing.ts';
import type { FieldProfiles } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import { DomainFields } from './DomainFields.tsx';
import { NumberField } from './NumberField.tsx';
import { RangeFields } from './RangeFields.tsx';

type Of<K extends Tile['kind']> = Extract<Tile, { kind: K }>;
type Put = (key: string, value: unknown, joins?: string) => void;

/**
 * The options of a single kind of tile, such as a figure's comparison, a gauge's goal and a box plot's
 * whiskers.
 */
export function KindOptions({
  id,
  tile,
  facts,
}: {
  readonly id: string;
  readonly tile: Tile;
  readonly facts: FieldProfiles;
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
          <Target tile={tile} measures={facts.fields.filter(isMeasureField)} put={put} />
        </>
      );
    case 'gauge':
      return (
        <>
          <Target tile={tile} put={put} />
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
  measures = [],
  put,
}: {
  readonly tile: Of<'gauge' | 'kpi'>;
  readonly measures?: readonly FieldFacts[];
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
