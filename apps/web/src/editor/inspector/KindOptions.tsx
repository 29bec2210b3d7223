import { labelFrom, type Tile } from '@belvedere/document';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { setKey, tilePath } from '../state/commands.ts';
import { useEditing, useEditor } from '../state/editing.ts';
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
export function KindOptions({ id, tile }: { readonly id: string; readonly tile: Tile }) {
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
      return <Compared tile={tile} put={put} />;
    case 'gauge':
      return <Target tile={tile} put={put} />;
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

/** A gauge's goal, a number or a parameter, and the end of its scale. */
function Target({ tile, put }: { readonly tile: Of<'gauge'>; readonly put: Put }) {
  const { editor } = useEditing();
  const parameters = useEditor(editor, state => state.document.parameters) ?? {};
  // As the file has it a target may be a parameter's name.
  const target = tile.target as number | string | undefined;
  const numbers = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.kind === 'number'
      ? [{ value: `:${name}`, label: `: ${parameter.label ?? labelFrom(name)}` }]
      : [],
  );
  return (
    <>
      {numbers.length > 0 ? (
        <InlineSelect
          label={words.tile.targetIs}
          value={typeof target === 'string' ? target : ''}
          options={[{ value: '', label: words.tile.targetNumber }, ...numbers]}
          onChange={name => put('target', name)}
        />
      ) : null}
      {typeof target === 'string' ? null : (
        <NumberField
          label={words.tile.target}
          value={target}
          onChange={value => put('target', value, 'target')}
        />
      )}
      <DomainFields
        domain={tile.scale?.domain}
        onChange={domain => put('scale', domain && { domain }, 'scale')}
      />
    </>
  );
}
