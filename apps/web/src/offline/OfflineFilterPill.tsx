import type { DashboardState } from '@belvedere/api';
import { formatTime, formatValue } from '@belvedere/chart';
import type { DashboardFilter } from '@belvedere/document';
import {
  addUnits,
  edgeOf,
  formatCalendarTime,
  parseCalendarTime,
  timeOfEdge,
  timeUnitOf,
  type Axis,
  type FieldFilter,
} from '@belvedere/query';
import { Button, DateRange, Select } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCalendar } from '../dashboard/chart/calendar.ts';
import { FieldValuesList } from '../dashboard/filters/FieldValuesList.tsx';
import { conditionOf, FilterPill } from '../dashboard/filters/FilterBar.tsx';
import { fieldFormat } from '../dashboard/tiles/describe.ts';
import type { ResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';
import { locale, t } from '../messages/messages.ts';
import { daysIn, rangeOptions } from './range-options.ts';

type Range = Exclude<Axis, { kind: 'categories' }>;

/** The filters of a page whose results were computed ahead. */
export interface OfflineFilters {
  readonly fields: readonly string[];
  /** Whether the results of these filters together were computed for a page. */
  readonly mayCombine: (fields: readonly string[], page: number) => boolean;
  /** Whether a tile can be selected while these filters are set. */
  readonly maySelect: (tile: string, fields: readonly string[], page: number) => boolean;
  /** The values or the steps that a filter can be set to on a page. Undefined if nothing there has its field. */
  readonly axis: (field: string, page: number) => Promise<Axis | undefined>;
}

interface OfflineFilterPillProps {
  readonly filters: OfflineFilters;
  readonly filter: DashboardFilter;
  readonly dashboard: ResolvedDashboard;
  readonly state: DashboardState;
  readonly onFilter: (field: string, condition: FieldFilter | null | undefined) => void;
}

/** A filter that is set without a server, or that says that it cannot be. */
export function OfflineFilterPill(props: OfflineFilterPillProps) {
  const { filters, filter, dashboard, state, onFilter } = props;
  const { field } = filter;
  const isOffered = filters.fields.includes(field);
  return (
    <FilterPill
      dashboard={dashboard}
      state={state}
      applied={{}}
      dataTime={undefined}
      filter={filter}
      onFilter={onFilter}
      fixedBecause={isOffered ? undefined : t.site.fixedFilter}
      content={close => <OfflineFilterControl {...props} onClose={close} />}
    />
  );
}

function OfflineFilterControl({
  filters,
  filter,
  dashboard,
  state,
  onFilter,
  onClose,
}: OfflineFilterPillProps & { readonly onClose: () => void }) {
  const { field } = filter;
  const { data: axis, isPending } = useQuery({
    queryKey: ['offline-filter', dashboard.id, field, state.page],
    queryFn: async () => (await filters.axis(field, state.page)) ?? null,
  });
  const [search, setSearch] = useState('');
  const condition = conditionOf(filter, state);
  const format = fieldFormat(dashboard.models, field);
  const onSet = (next: FieldFilter | undefined) =>
    onFilter(field, next ?? (filter.default ? null : undefined));
  if (!axis)
    return (
      <p role="status" className="text-12 text-text-2">
        {isPending ? t.tile.loading : t.filters.none}
      </p>
    );
  if (axis.kind === 'categories') {
    const isFound = (value: (typeof axis.values)[number]) =>
      formatValue(value, locale, format).toLowerCase().includes(search.trim().toLowerCase());
    return (
      <FieldValuesList
        found={{ values: axis.values.filter(isFound).map(value => ({ value })), isCut: false }}
        search={search}
        onSearch={setSearch}
        format={format}
        condition={condition}
        onSet={onSet}
        {...(filter.control === 'select' && { onChosen: onClose })}
      />
    );
  }
  return <RangeControl axis={axis} format={format} condition={condition} onSet={onSet} onClose={onClose} />;
}

interface RangeControlProps {
  readonly axis: Range;
  readonly format: string | undefined;
  readonly condition: FieldFilter | undefined;
  readonly onSet: (condition: FieldFilter | undefined) => void;
  readonly onClose: () => void;
}

/** A range whose ends are steps of the computed results: days in a calendar, other steps in lists. */
function RangeControl({ axis, format, condition, onSet, onClose }: RangeControlProps) {
  const calendar = useCalendar();
  const first = edgeOf(axis, 0);
  const end = edgeOf(axis, axis.count);
  const edges = condition && 'from' in condition ? [condition.from, condition.below] : [];
  const [from, below] = [edges[0] ?? first, edges[1] ?? end].map(edge =>
    axis.kind === 'bins' ? Number(edge) : timeOfEdge(edge),
  ) as [number, number];
  const set = (low: number, high: number) => {
    const edge = (value: number) => (axis.kind === 'bins' ? value : formatCalendarTime(value));
    onSet(low <= first && high >= end ? undefined : { from: edge(low), below: edge(high) });
  };
  const clear = (
    <Button
      look="quiet"
      className="self-end"
      onPress={() => {
        onSet(undefined);
        onClose();
      }}
    >
      {t.filters.clear}
    </Button>
  );
  if (axis.kind === 'times' && ['day', 'hour', 'minute'].includes(timeUnitOf(axis.unit)))
    return (
      <div className="flex flex-col gap-3">
        <DateRange
          label={t.filters.calendar}
          weekStart={calendar.weekStart}
          value={daysIn(from, below)}
          focus={daysIn(first, end).end}
          onChange={days => {
            const low = parseCalendarTime(days.start);
            const high = addUnits('day', parseCalendarTime(days.end), 1);
            if (low < end && high > first) set(Math.max(low, first), Math.min(high, end));
            onClose();
          }}
        />
        {clear}
      </div>
    );
  const say = (position: number) =>
    axis.kind === 'bins'
      ? formatValue(edgeOf(axis, position), locale, format)
      : formatTime(edgeOf(axis, position), axis.unit, locale);
  const options = rangeOptions(axis, say);
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t.filters.from}
        value={String(from)}
        options={options.from}
        onChange={next => set(Number(next), Math.max(below, options.nextOf(Number(next))))}
      />
      <Select
        label={t.filters.to}
        value={String(below)}
        options={options.below}
        onChange={next => set(Math.min(from, options.previousOf(Number(next))), Number(next))}
      />
      {clear}
    </div>
  );
}
