import type { MeasureEncoding, Tile } from '@belvedere/document';
import type { FieldFacts } from '@belvedere/query';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { words } from '../../messages/words.ts';
import type { Item, Layer } from '../../encoding/encoding-shelves.ts';
import { changed, changedPart, type EncodingKey } from './changed-encoding.ts';
import { DomainFields } from './DomainFields.tsx';
import { formatsWith } from './formats.ts';

export function MeasureOptions({
  encoding,
  field,
  tile,
  onChange,
}: {
  readonly encoding: MeasureEncoding;
  readonly field: FieldFacts | undefined;
  readonly tile: Tile;
  readonly onChange: (encoding: MeasureEncoding, joins?: string) => void;
}) {
  const set = (key: EncodingKey, value: unknown) => onChange(changed(encoding, key, value));
  const isNumber = field?.type === 'integer' || field?.type === 'decimal' || field?.type === 'number';
  const aggregates = isNumber
    ? (['sum', 'mean', 'median', 'min', 'max', 'count', 'distinct', 'q1', 'q3', 'stdev', 'variance'] as const)
    : (['count', 'distinct'] as const);
  const hasAxis =
    tile.kind === 'scatter' ||
    tile.kind === 'bar' ||
    tile.kind === 'line' ||
    tile.kind === 'area' ||
    tile.kind === 'combo';
  const beginsAtZero = tile.kind !== 'line' && tile.kind !== 'scatter';
  const isStacked = (tile.kind === 'bar' || tile.kind === 'area') && tile.color !== undefined;
  const scale = encoding.scale ?? {};
  const setScale = (part: keyof typeof scale, value: unknown, joins?: string) =>
    onChange(changedPart(encoding, 'scale', part, value), joins);
  return (
    <>
      {'aggregate' in encoding ? (
        <InlineSelect
          label={words.field.aggregate}
          value={encoding.aggregate}
          options={aggregates.map(value => ({ value, label: words.field.aggregates[value] }))}
          onChange={value => onChange({ ...encoding, aggregate: value as typeof encoding.aggregate })}
        />
      ) : null}
      <InlineSelect
        label={words.field.format}
        value={encoding.format ?? ''}
        options={formatsWith(encoding.format)}
        onChange={value => set('format', value === '' ? undefined : value)}
      />
      {tile.kind === 'kpi' || tile.kind === 'gauge' ? null : (
        <InlineSelect
          label={words.field.show}
          value={encoding.show ?? ''}
          options={Object.entries(words.field.shows).map(([value, label]) => ({ value, label }))}
          onChange={value => set('show', value === '' ? undefined : value)}
        />
      )}
      {isStacked ? (
        <InlineSelect
          label={words.field.stack}
          value={encoding.stack === undefined ? '' : String(encoding.stack)}
          options={Object.entries(words.field.stacks).map(([value, label]) => ({ value, label }))}
          onChange={value => set('stack', value === '' ? undefined : value === 'false' ? false : value)}
        />
      ) : null}
      {hasAxis ? (
        <>
          <InlineSelect
            label={words.field.scale}
            value={scale.type ?? 'linear'}
            options={Object.entries(words.field.scales).map(([value, label]) => ({ value, label }))}
            onChange={value => setScale('type', value === 'linear' ? undefined : value)}
          />
          <Checkbox
            isSelected={scale.zero ?? beginsAtZero}
            onChange={zero => setScale('zero', zero === beginsAtZero ? undefined : zero)}
          >
            {words.field.zero}
          </Checkbox>
          <DomainFields domain={scale.domain} onChange={domain => setScale('domain', domain, 'domain')} />
        </>
      ) : null}
    </>
  );
}

export function LayerOptions({
  layer,
  onChange,
}: {
  readonly layer: Layer;
  readonly onChange: (item: Item) => void;
}) {
  return (
    <>
      <InlineSelect
        label={words.field.mark}
        value={layer.mark}
        options={(['bar', 'line', 'area'] as const).map(value => ({ value, label: words.kinds[value] }))}
        onChange={value => onChange({ ...layer, mark: value as Layer['mark'] })}
      />
      <InlineSelect
        label={words.field.axis}
        value={layer.axis ?? 'left'}
        options={(['left', 'right'] as const).map(value => ({ value, label: words.field.axes[value] }))}
        onChange={value => onChange({ ...layer, axis: value as 'left' })}
      />
    </>
  );
}
