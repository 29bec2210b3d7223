import { readCondition, writeCondition, type DashboardState } from '@belvedere/api';
import { formatValue, isPercent } from '@belvedere/chart';
import { maxSearchLength, type FilterControl as ControlKind } from '@belvedere/document';
import {
  addUnits,
  formatCalendarTime,
  parseCalendarTime,
  parseDuration,
  withCompletePeriods,
  type FieldFilter,
} from '@belvedere/query';
import { Button, Checkbox, DateRange, TextField } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { locale, t } from '../../messages/messages.ts';
import { useCalendar } from '../chart/calendar.ts';
import { describeCondition } from '../tiles/describe.ts';
import { FieldValuesList } from './FieldValuesList.tsx';
import { parseNumber, typedNumber } from './parse-number.ts';

interface FilterControlProps {
  readonly dashboard: string;
  readonly state: DashboardState;
  readonly field: string;
  readonly label: string;
  readonly control: ControlKind;
  /** The format of the field's numbers. */
  readonly format: string | undefined;
  readonly condition: FieldFilter | undefined;
  /** The field's range as it was resolved, where its condition is a relative one: `from/below`. */
  readonly applied: string | undefined;
  /** The newest moment of the data. */
  readonly dataTime: string | undefined;
  readonly onSet: (condition: FieldFilter | undefined) => void;
  readonly onClose: () => void;
}

/** The control of a filter. It loads when the first one is opened, because most users open none. */
export default function FilterControl(props: FilterControlProps) {
  switch (props.control) {
    case 'dateRange':
      return <DateControl {...props} />;
    case 'numberRange':
      return <NumberControl {...props} />;
    case 'search':
      return <SearchControl {...props} />;
    case 'multiSelect':
    case 'select':
      return <ValuesControl {...props} />;
  }
}

const presets: readonly FieldFilter[] = [
  { last: '7 days' },
  { last: '30 days' },
  { last: '90 days' },
  { last: '12 months' },
  { this: 'month' },
  { this: 'year' },
];
const fiscalPresets: readonly FieldFilter[] = [{ this: 'fiscalQuarter' }, { this: 'fiscalYear' }];

function DateControl({ condition, label, dataTime, applied, onSet, onClose }: FilterControlProps) {
  const [text, setText] = useState(
    condition && ('last' in condition || 'this' in condition) ? writeCondition(condition) : '',
  );
  const [error, setError] = useState<string>();
  const [isComplete, setIsComplete] = useState(
    condition !== undefined && 'last' in condition && parseDuration(condition.last).isComplete,
  );
  const onComplete = (next: boolean) => {
    setIsComplete(next);
    if (!condition || !('last' in condition)) return;
    const changed = withCompletePeriods(condition, next);
    setText(writeCondition(changed));
    onSet(changed);
  };
  const calendar = useCalendar();
  const fixed =
    condition && 'from' in condition && condition.from !== undefined && condition.below !== undefined
      ? [String(condition.from), String(condition.below)]
      : applied?.split('/');
  const day = 86_400_000;
  const value =
    fixed?.[0] && fixed[1]
      ? {
          start: fixed[0].slice(0, 10),
          end: formatCalendarTime(Math.ceil(parseCalendarTime(fixed[1]) / day) * day - day).slice(0, 10),
        }
      : undefined;
  const choose = (next: FieldFilter | undefined) => {
    onSet(next);
    onClose();
  };
  const submit = () => {
    try {
      const read = readCondition(text.trim().toLowerCase());
      if (!('last' in read || 'this' in read)) throw new RangeError();
      choose(read);
    } catch {
      setError(t.filters.relativeError);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t.filters.relative}
        placeholder={t.filters.relativeHint}
        value={text}
        onChange={setText}
        onEnter={submit}
        {...(error !== undefined && { error })}
      />
      <div role="group" aria-label={t.filters.presets} className="flex flex-wrap gap-1.5">
        {[
          ...presets.map(preset => withCompletePeriods(preset, isComplete)),
          ...(calendar.fiscalYearStart === 'january' ? [] : fiscalPresets),
        ].map(preset => (
          <Button key={describeCondition(preset)} onPress={() => choose(preset)}>
            {describeCondition(preset)}
          </Button>
        ))}
        <Button onPress={() => choose(undefined)}>{t.filters.any}</Button>
      </div>
      <Checkbox isSelected={isComplete} onChange={onComplete}>
        {t.filters.completePeriods}
      </Checkbox>
      <DateRange
        label={`${label}: ${t.filters.calendar}`}
        weekStart={calendar.weekStart}
        {...(value && { value })}
        {...(dataTime && { focus: dataTime.slice(0, 10) })}
        onChange={({ start, end }) =>
          choose({ from: start, below: formatCalendarTime(addUnits('day', parseCalendarTime(end), 1)) })
        }
      />
    </div>
  );
}

function NumberControl({
  condition,
  label,
  dashboard,
  state,
  field,
  format,
  onSet,
  onClose,
}: FilterControlProps) {
  const isShare = isPercent(format);
  const range = condition && ('from' in condition || 'below' in condition) ? condition : {};
  const [from, setFrom] = useState(
    range.from === undefined ? '' : typedNumber(Number(range.from), locale, isShare),
  );
  const [below, setBelow] = useState(
    range.below === undefined ? '' : typedNumber(Number(range.below), locale, isShare),
  );
  const { data } = useFieldValues(dashboard, field, state, '');
  const [low, high] = [parseNumber(from, locale, isShare), parseNumber(below, locale, isShare)];
  const error = (value: number | undefined) =>
    value !== undefined && !Number.isFinite(value) ? t.filters.notNumber : undefined;
  const isValid = !error(low) && !error(high);
  const submit = () => {
    if (!isValid) return;
    onSet(
      low === undefined && high === undefined
        ? undefined
        : { ...(low !== undefined && { from: low }), ...(high !== undefined && { below: high }) },
    );
    onClose();
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-12 text-text-2">
        {label}
        {data?.extent
          ? `: ${t.filters.range(formatValue(data.extent.min, locale, format), formatValue(data.extent.max, locale, format))}`
          : ''}
      </p>
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label={t.filters.from}
          inputMode="decimal"
          value={from}
          onChange={setFrom}
          onEnter={submit}
          {...(error(low) && { error: error(low)! })}
        />
        <TextField
          label={t.filters.to}
          inputMode="decimal"
          value={below}
          onChange={setBelow}
          onEnter={submit}
          {...(error(high) && { error: error(high)! })}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button
          look="quiet"
          onPress={() => {
            onSet(undefined);
            onClose();
          }}
        >
          {t.filters.clear}
        </Button>
        <Button look="primary" isDisabled={!isValid} onPress={submit}>
          {t.filters.apply}
        </Button>
      </div>
    </div>
  );
}

function SearchControl({ condition, onSet, onClose }: FilterControlProps) {
  const [text, setText] = useState(condition && 'contains' in condition ? condition.contains : '');
  const submit = () => {
    onSet(text === '' ? undefined : { contains: text });
    onClose();
  };
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t.filters.contains}
        maxLength={maxSearchLength}
        value={text}
        onChange={setText}
        onEnter={submit}
      />
      <div className="flex justify-end gap-2">
        <Button
          look="quiet"
          onPress={() => {
            onSet(undefined);
            onClose();
          }}
        >
          {t.filters.clear}
        </Button>
        <Button look="primary" onPress={submit}>
          {t.filters.apply}
        </Button>
      </div>
    </div>
  );
}

function useFieldValues(id: string, field: string, state: DashboardState, search: string) {
  return useQuery({
    queryKey: ['values', id, field, state, search],
    queryFn: ({ signal }) =>
      client.getFieldValues(
        { params: { id, field }, body: { state, ...(search && { search }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

function ValuesControl({ dashboard, state, field, control, onClose, ...props }: FilterControlProps) {
  const [search, setSearch] = useState('');
  const { data, error } = useFieldValues(dashboard, field, state, search);
  return (
    <FieldValuesList
      {...props}
      mayExclude
      {...(control === 'select' && { onChosen: onClose })}
      found={data}
      problem={error ? problemText(error) : undefined}
      search={search}
      onSearch={setSearch}
    />
  );
}
