import type { TableRelationship } from '@belvedere/api';
import { IconButton, InlineSelect } from '@belvedere/ui';
import { X } from 'lucide-react';
import { words } from './messages/words.ts';

export type Range = NonNullable<TableRelationship['between']>;

interface RangeFieldsProps {
  readonly range: Range;
  /** Columns of the table that refers, and of the other one. */
  readonly times: readonly string[];
  readonly ends: readonly string[];
  readonly onChange: (range: Range | undefined) => void;
}

const temporal = ['date', 'time', 'instant'];

/** The columns that can be part of a range. */
export function temporalIn(columns: readonly { readonly name: string; readonly type: string }[]): string[] {
  return columns.filter(({ type }) => temporal.includes(type)).map(({ name }) => name);
}

/** The first range that two tables allow; undefined if they lack the columns for one. */
export function firstRange(times: readonly string[], ends: readonly string[]): Range | undefined {
  const [column, [begin, end]] = [times[0], ends];
  return column !== undefined && begin !== undefined && end !== undefined
    ? { column, begin, end }
    : undefined;
}

/** A time of a table, and the columns of another one that say from when to when a row is valid. */
export function RangeFields({ range, times, ends, onChange }: RangeFieldsProps) {
  const field = (label: string, key: keyof Range, all: readonly string[]) => (
    <div className="min-w-0 flex-1">
      <InlineSelect
        label={label}
        value={range[key]}
        options={[...new Set([range[key], ...all])].map(value => ({ value, label: value }))}
        onChange={value => onChange({ ...range, [key]: value })}
      />
    </div>
  );
  return (
    <div role="group" aria-label={words.dateRange} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        {field(words.rangeColumn, 'column', times)}
        {field(words.rangeBegin, 'begin', ends)}
        {field(words.rangeBelow, 'end', ends)}
        <IconButton label={words.removeRange} onPress={() => onChange(undefined)}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <p className="text-12 text-text-2">{words.rangeHint}</p>
    </div>
  );
}
