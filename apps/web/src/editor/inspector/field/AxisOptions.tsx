import { isMeasure, type FieldEncoding, type MeasureEncoding } from '@belvedere/document';
import { isNumeric, isTemporal } from '@belvedere/model';
import type { FieldFacts } from '@belvedere/query';
import { Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { words } from '../../messages/words.ts';
import { changed } from './changed-encoding.ts';
import { formatsWith } from './formats.ts';
import { NumberField } from '../NumberField.tsx';

interface AxisOptionsProps {
  readonly encoding: FieldEncoding | MeasureEncoding;
  readonly field: FieldFacts | undefined;
  /** Whether an axis has numbers or times. Horizontal bars have one axis of names and one of values. */
  readonly hasNumbers: boolean;
  readonly onChange: (encoding: FieldEncoding | MeasureEncoding, joins?: string) => void;
}

/** The options of an axis: its title, labels, number of ticks, format and grid lines. */
export function AxisOptions({ encoding, field, hasNumbers, onChange }: AxisOptionsProps) {
  const plain: Readonly<Record<string, unknown>> = { labels: true, grid: isMeasure(encoding) };
  const axis: Exclude<FieldEncoding['axis'], false> =
    encoding.axis === false ? { labels: false, grid: false } : { ...plain, ...encoding.axis };
  const set = (part: string, value: unknown, joins?: string) => {
    const kept = Object.fromEntries(
      Object.entries({ title: undefined, ...axis, [part]: value }).filter(
        ([key, one]) => one !== undefined && one !== plain[key],
      ),
    );
    onChange(changed(encoding, 'axis', Object.keys(kept).length > 0 ? kept : undefined), joins);
  };
  const type = field?.type;
  const isOfNumbers = hasNumbers && (isMeasure(encoding) || (type !== undefined && isNumeric(type)));
  const isCounted = isOfNumbers || (hasNumbers && type !== undefined && isTemporal(type));
  return (
    <>
      <TextField
        label={words.field.axisTitle}
        value={axis.title ?? ''}
        onChange={title => set('title', title === '' ? undefined : title, 'axis title')}
      />
      <Checkbox isSelected={axis.labels ?? true} onChange={labels => set('labels', labels)}>
        {words.field.axisLabels}
      </Checkbox>
      {isCounted && axis.labels !== false ? (
        <NumberField
          label={words.field.tickCount}
          value={axis.tickCount}
          onChange={count =>
            (count === undefined || (Number.isInteger(count) && count >= 1 && count <= 40)) &&
            set('tickCount', count, 'tick count')
          }
        />
      ) : null}
      {isOfNumbers && axis.labels !== false ? (
        <InlineSelect
          label={words.field.axisFormat}
          value={axis.format ?? ''}
          options={formatsWith(axis.format)}
          onChange={format => set('format', format === '' ? undefined : format)}
        />
      ) : null}
      <Checkbox isSelected={axis.grid ?? false} onChange={grid => set('grid', grid)}>
        {words.field.axisGrid}
      </Checkbox>
    </>
  );
}
