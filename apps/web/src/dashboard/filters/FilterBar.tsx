import type { DashboardState, ModelSummary } from '@belvedere/api';
import type { DashboardFilter, ParameterValue, Tile } from '@belvedere/document';
import { formatDay, formatPeriod } from '@belvedere/chart';
import { parseCalendarTime, timeOfEdge, type FieldFilter } from '@belvedere/query';
import {
  Button,
  LazyBoundary,
  lazyComponent,
  loadOverlays,
  Modal,
  Popover,
  RemovableChip,
} from '@belvedere/ui';
import { CalendarDays, Check, ChevronDown, Lock, RotateCcw, SlidersHorizontal } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useKeys } from '../../keys/keys.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { useSelectedTiles } from '../../live/use-live.ts';
import { locale, t } from '../../messages/messages.ts';
import { describeCondition, fieldFormat, fieldLabel, tileTitle } from '../tiles/describe.ts';
import type { ResolvedDashboard } from '../tiles/resolved-dashboard.ts';
import { SelectionChip } from './SelectionChip.tsx';

const AddFilter = lazyComponent(() => import('./AddFilter.tsx').then(module => module.default));
const FilterControl = lazyComponent(() => import('./FilterControl.tsx').then(module => module.default));
const ComparisonRange = lazyComponent(() => import('./ComparisonRange.tsx').then(module => module.default));
const ParameterPills = lazyComponent(() => import('./ParameterPills.tsx').then(module => module.default));

/** The page loads before the code of its closed popovers does. */
const loadAfterMs = 3000;

/** What a filter's control needs. */
interface FilterProps {
  readonly dashboard: ResolvedDashboard;
  /** As the last gesture left it. */
  readonly state: DashboardState;
  /** Relative ranges as they were resolved, and the newest moment of the data. */
  readonly applied: Readonly<Record<string, string>>;
  readonly dataTime: string | undefined;
  readonly onFilter: (field: string, condition: FieldFilter | null | undefined) => void;
}

interface FilterBarProps extends FilterProps {
  readonly live: DashboardStore;
  readonly onClearSelection: (tile: string) => void;
  readonly onReset: () => void;
  readonly onParameter: (name: string, value: ParameterValue | undefined) => void;
  /** Shown in place of *Reset* while there is nothing to reset. */
  readonly offer?: ReactNode;
  /** Whether the page says elsewhere how far the data reaches, on phones too. */
  readonly isDataTimeElsewhere?: boolean;
  /** Whether marks on the page can be selected, and whether other tiles follow. */
  readonly selecting: 'nothing' | 'alone' | 'linked';
  /** Where there are figures to compare. */
  readonly onCompare?: ((compare: DashboardState['compare']) => void) | undefined;
}

/** The filters of the dashboard as pills, and its selections as chips. */
export function FilterBar(props: FilterBarProps) {
  const { dashboard, state, applied, dataTime, onFilter, onReset } = props;
  const filtering: FilterProps = { dashboard, state, applied, dataTime, onFilter };
  const selectedTiles = useSelectedTiles(props.live);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const position = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      loadOverlays();
      FilterControl.ahead();
    }, loadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useKeys(
    t.keys.dashboard,
    useMemo(
      () => [
        {
          press: '[Shift]+/',
          label: t.keys.filters,
          does: () =>
            [...(position.current?.querySelectorAll('button') ?? [])]
              .find(button => button.checkVisibility())
              ?.focus(),
        },
        {
          press: 'd',
          label: t.keys.date,
          does: () =>
            [...(position.current?.querySelectorAll<HTMLElement>('button:has([data-dates])') ?? [])]
              .find(button => button.checkVisibility())
              ?.click(),
        },
      ],
      [],
    ),
  );
  const filters = (dashboard.document?.filters ?? []).filter(filter => !filter.hidden);
  const selected = useMemo(() => titlesOf(dashboard, selectedTiles), [dashboard, selectedTiles]);
  const parameters = dashboard.document?.parameters;
  const pills = parameters ? (
    <LazyBoundary fallback={null}>
      <ParameterPills
        parameters={parameters}
        chosen={state.parameters}
        models={dashboard.models}
        onParameter={props.onParameter}
      />
    </LazyBoundary>
  ) : null;
  /** Fields for which this viewer added a filter, the latest last. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const offered = new Set(filters.map(({ field }) => field));
  const addedHere = added.filter(field => !offered.has(field));
  const addedPills = addedHere.map((field, i) => (
    <FilterPill
      key={field}
      {...filtering}
      filter={{ field }}
      opensAtOnce={i === addedHere.length - 1 && state.filters[field] === undefined}
    />
  ));
  const others = otherFilters(props, addedHere);
  const set = filters.filter(filter => conditionOf(filter, state)).length + others.length + selected.length;
  const isChanged =
    Object.keys(state.filters).length > 0 ||
    selected.length > 0 ||
    Object.keys(state.parameters ?? {}).length > 0;
  const chips = selected.map(({ tile, title }) => (
    <SelectionChip
      key={tile}
      live={props.live}
      tile={tile}
      title={title}
      models={dashboard.models}
      onClear={props.onClearSelection}
    />
  ));
  const reset = isChanged ? (
    <Button
      look="quiet"
      onPress={() => {
        setAdded([]);
        onReset();
      }}
    >
      <RotateCcw size={14} aria-hidden />
      {t.filters.reset}
    </Button>
  ) : (
    props.offer
  );
  const isEmpty =
    filters.length === 0 &&
    others.length === 0 &&
    selected.length === 0 &&
    !isChanged &&
    !props.onCompare &&
    !parameters;
  const taken = new Set([...offered, ...addedHere, ...hiddenFilters(dashboard)]);
  const add =
    props.selecting === 'nothing' ? null : (
      <LazyBoundary fallback={null}>
        <AddFilter models={dashboard.models} taken={taken} onAdd={field => setAdded([...addedHere, field])} />
      </LazyBoundary>
    );
  // Where there is no bar there is room left for the tools of the tiles right below.
  if (isEmpty && props.selecting === 'nothing') return <div className="no-print h-6 pointer-coarse:h-2" />;
  // The bar has its height before anything is selected, so that a selection moves nothing.
  const hint = isEmpty ? (
    <p className="flex h-[30px] items-center text-12 text-text-2 pointer-coarse:h-11">
      {props.selecting === 'linked' ? t.filters.hint : null}
    </p>
  ) : null;
  return (
    <div
      ref={position}
      role="group"
      aria-label={t.filters.label}
      data-filter-bar
      className="no-print sticky top-12 z-30 border-b border-transparent bg-canvas py-2 in-data-framed:static in-data-framed:bg-transparent"
    >
      {/* As high as a pill before the code of pills arrives, which would move the tiles. */}
      <div
        className={`flex flex-wrap items-center gap-2 max-md:hidden ${add || pills ? 'min-h-[30px] pointer-coarse:min-h-11' : ''}`}
      >
        {pills}
        {filters.map(filter => (
          <FilterPill key={filter.field} {...filtering} filter={filter} />
        ))}
        {props.onCompare && filters.length > 0 ? (
          <Compare dashboard={dashboard} state={state} dataTime={dataTime} onCompare={props.onCompare} />
        ) : null}
        {others}
        {addedPills}
        {add}
        {/* A first chip is cut rather than put on a line of its own, which would move the chart that is brushed. */}
        <div className={chips.length > 1 ? 'contents' : 'flex min-w-52 flex-1 items-center gap-2'}>
          {chips}
          {hint}
          {reset}
        </div>
      </div>
      <div className="flex items-center gap-2 md:hidden">
        {hint ?? (
          <Button look="pill" onPress={() => setIsSheetOpen(true)}>
            <SlidersHorizontal size={15} aria-hidden />
            {t.filters.button(set)}
          </Button>
        )}
        {reset}
        <PhonePeriod
          {...filtering}
          dataTime={props.isDataTimeElsewhere ? undefined : dataTime}
          filters={filters}
        />
      </div>
      <Modal label={t.filters.label} isOpen={isSheetOpen} onOpenChange={setIsSheetOpen}>
        <div className="flex flex-col gap-3 p-4">
          <h2 className="text-15 font-semibold">{t.filters.label}</h2>
          {pills}
          {filters.map(filter => (
            <FilterPill key={filter.field} {...filtering} filter={filter} />
          ))}
          {props.onCompare ? (
            <Compare dashboard={dashboard} state={state} dataTime={dataTime} onCompare={props.onCompare} />
          ) : null}
          <div className="flex flex-wrap gap-2">
            {others}
            {addedPills}
            {add}
            {chips}
          </div>
          <Button look="primary" className="justify-center" onPress={() => setIsSheetOpen(false)}>
            {t.filters.apply}
          </Button>
        </div>
      </Modal>
    </div>
  );
}

/** The period and the end of the data, which headers of phones have no room for. */
function PhonePeriod({
  filters,
  dashboard,
  state,
  applied,
  dataTime,
}: FilterProps & { readonly filters: readonly DashboardFilter[] }) {
  const periods = filters.flatMap(filter => {
    const condition = conditionOf(filter, state);
    if (!condition || (filter.control ?? controlFor(dashboard.models, filter.field)) !== 'dateRange')
      return [];
    const range =
      'from' in condition || 'below' in condition
        ? [condition.from, condition.below]
        : applied[filter.field]?.split('/');
    const [from, below] = range?.map(edge => (edge === undefined ? undefined : timeOfEdge(edge))) ?? [];
    return from === undefined || below === undefined
      ? [describeCondition(condition)]
      : [formatPeriod(from, below, locale)];
  });
  const through = dataTime
    ? t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))
    : undefined;
  if (periods.length === 0 && !through) return null;
  return (
    <div className="ms-auto min-w-0 text-end text-12 text-text-2 *:leading-[18px]">
      {periods.length > 0 ? <p className="truncate font-medium text-text">{periods.join(' · ')}</p> : null}
      {through ? <p className="truncate">{through}</p> : null}
    </div>
  );
}

type ComparisonName = keyof typeof t.filters.compareWith;

const comparisons: readonly ComparisonName[] = ['previous period', 'previous year', 'nothing', 'custom'];

/** The comparison that the dashboard sets for its figures; `each` if they differ. */
function ownComparison({ document }: ResolvedDashboard): ComparisonName {
  const tiles = (document?.pages ?? []).flatMap(page => Object.values(page.tiles));
  const figures = tiles.filter(tile => tile.kind === 'kpi');
  const [first, ...others] = new Set(figures.map(({ compare }) => compare ?? ('nothing' as const)));
  return others.length === 0 && typeof first === 'string' ? first : 'each';
}

interface CompareProps {
  readonly dashboard: ResolvedDashboard;
  readonly state: DashboardState;
  readonly dataTime: string | undefined;
  readonly onCompare: (compare: DashboardState['compare']) => void;
}

/** Chooses a comparison for all figures, in place of the dashboard's own. */
function Compare({ dashboard, state, dataTime, onCompare }: CompareProps) {
  const { compare } = state;
  const days = typeof compare === 'object' ? compare : undefined;
  const [isPicking, setIsPicking] = useState(days !== undefined);
  const own = ownComparison(dashboard);
  const chosen = typeof compare === 'object' ? 'custom' : (compare ?? own);
  return (
    <Popover
      label={t.filters.compare}
      width={isPicking ? 'w-[300px]' : 'w-56'}
      triggerClassName={`inline-flex h-[30px] items-center gap-1.5 rounded-control border bg-surface px-2.5 text-13 pointer-coarse:h-11 ${compare === undefined ? 'border-border hover:border-border-strong' : 'border-accent/50'}`}
      trigger={
        <>
          <span className="text-text-2">{t.filters.compare}</span>
          <span className="font-medium">
            {days ? describeCondition(days) : t.filters.compareWith[chosen]}
          </span>
          <ChevronDown size={14} aria-hidden className="text-text-3" />
        </>
      }
    >
      {close => (
        <div className="flex flex-col">
          {(own === 'each' ? ['each' as const, ...comparisons] : comparisons).map(one => (
            <Button
              key={one}
              look="quiet"
              aria-pressed={chosen === one}
              className={`justify-between ${chosen === one ? 'font-medium text-text' : ''}`}
              onPress={() => {
                if (one === 'custom') return setIsPicking(true);
                setIsPicking(false);
                onCompare(one === own || one === 'each' ? undefined : one);
                close();
              }}
            >
              {t.filters.compareWith[one]}
              {chosen === one ? <Check size={14} aria-hidden className="text-accent" /> : null}
            </Button>
          ))}
          {isPicking ? (
            <LazyBoundary
              fallback={
                <p role="status" className="soon min-h-[272px] text-12 text-text-2">
                  {t.tile.loading}
                </p>
              }
            >
              <ComparisonRange
                chosen={days}
                dataTime={dataTime}
                onChoose={next => {
                  onCompare(next);
                  close();
                }}
              />
            </LazyBoundary>
          ) : null}
        </div>
      )}
    </Popover>
  );
}

/** The filter that a control tile sets: the dashboard's on its field, or one of its own. */
export function filterOf(
  { field, control, title }: Tile & { kind: 'control' },
  filters: readonly DashboardFilter[] = [],
): DashboardFilter {
  return (
    filters.find(filter => filter.field === field) ?? {
      field,
      ...(control && { control }),
      ...(title && { label: title }),
    }
  );
}

export function conditionOf(filter: DashboardFilter, state: DashboardState): FieldFilter | undefined {
  const set = filter.locked ? undefined : state.filters[filter.field];
  return set === null ? undefined : (set ?? filter.default);
}

/** Fields that the dashboard filters itself, where viewers cannot see it. */
function hiddenFilters({ document }: ResolvedDashboard): readonly string[] {
  return (document?.filters ?? []).filter(({ hidden }) => hidden).map(({ field }) => field);
}

/** The filters that the models define, without those of the dashboard and the user. */
function modelFilters({ dashboard, state }: Pick<FilterProps, 'dashboard' | 'state'>) {
  const said = new Set([
    ...(dashboard.document?.filters ?? []).map(filter => filter.field),
    ...Object.keys(state.filters),
  ]);
  return dashboard.models
    .flatMap(model => Object.entries(model.filters ?? {}))
    .filter(([field]) => !said.has(field));
}

/**
 * Filters on fields without a pill in the bar: those of models, and those that a user has set, for example
 * with *Keep only*.
 */
function otherFilters(
  props: Pick<FilterProps, 'dashboard' | 'state' | 'onFilter'>,
  shown: readonly string[],
): readonly ReactNode[] {
  const { dashboard, state, onFilter } = props;
  const known = new Set([...(dashboard.document?.filters ?? []).map(filter => filter.field), ...shown]);
  const chip = (field: string, condition: FieldFilter, off: null | undefined) => {
    const label = fieldLabel(dashboard.models, field);
    return (
      <RemovableChip
        key={field}
        label={t.filters.selected(label, describeCondition(condition, fieldFormat(dashboard.models, field)))}
        removeLabel={t.filters.removeFilter(label)}
        onRemove={() => onFilter(field, off)}
      />
    );
  };
  return [
    ...modelFilters(props)
      .filter(([field]) => !known.has(field))
      .map(([field, condition]) => chip(field, condition, null)),
    ...Object.entries(state.filters).flatMap(([field, condition]) =>
      known.has(field) || !condition
        ? []
        : [chip(field, condition, dashboard.models.some(model => model.filters?.[field]) ? null : undefined)],
    ),
  ];
}

/**
 * The names of selected tiles that are shown. A selection on a hidden tile is inactive until the tile is
 * shown.
 */
function titlesOf({ document, models }: ResolvedDashboard, selected: readonly string[]) {
  return selected.flatMap(id => {
    const tile = document?.pages.map(page => page.tiles[id]).find(found => found !== undefined);
    return tile
      ? [
          {
            tile: id,
            title: tileTitle(
              tile,
              models.find(candidate => candidate.name === (tile.model ?? document?.model)),
            ),
          },
        ]
      : [];
  });
}

/** A filter's value, and the control to change it. */
export function FilterPill(
  props: FilterProps & {
    readonly filter: DashboardFilter;
    readonly opensAtOnce?: boolean;
    /** The control to set it, on pages without a server. */
    readonly content?: (close: () => void) => ReactNode;
    /** Why it cannot be changed here; undefined if it can. */
    readonly fixedBecause?: string | undefined;
  },
) {
  const { filter, state, dashboard, applied } = props;
  const label = filter.label ?? fieldLabel(dashboard.models, filter.field);
  const condition = conditionOf(filter, state);
  const control = filter.control ?? controlFor(dashboard.models, filter.field);
  const fixed = filter.locked ? t.filters.locked : props.fixedBecause;
  const isRelative = condition && ('last' in condition || 'this' in condition);
  const range = isRelative ? applied[filter.field]?.split('/') : undefined;
  const resolved = range && describeCondition({ from: range[0]!, below: range[1]! });
  const trigger = (
    <>
      {control === 'dateRange' ? (
        <CalendarDays data-dates size={15} aria-hidden className="shrink-0 text-text-3" />
      ) : null}
      <span className="max-w-64 truncate text-text-2" title={label}>
        {label}
      </span>
      <span className="max-w-64 truncate font-medium">
        {condition
          ? describeCondition(condition, fieldFormat(dashboard.models, filter.field))
          : t.filters.all}
      </span>
      {resolved ? <span className="text-12 text-text-3 max-lg:hidden">{resolved}</span> : null}
      {fixed ? (
        <>
          <Lock size={12} aria-hidden className="shrink-0 text-text-3" />
          <span className="sr-only">{fixed}</span>
        </>
      ) : (
        <ChevronDown size={14} aria-hidden className="shrink-0 text-text-3" />
      )}
    </>
  );
  const triggerClassName = `inline-flex h-[30px] max-w-full items-center gap-1.5 rounded-control border px-2.5 text-13 pointer-coarse:h-11 ${condition ? 'border-accent/50 bg-surface' : 'border-border bg-surface hover:border-border-strong'}`;
  if (fixed)
    return (
      <span className={triggerClassName} title={fixed}>
        {trigger}
      </span>
    );
  return (
    <Popover
      label={label}
      trigger={trigger}
      triggerClassName={triggerClassName}
      width={control === 'dateRange' ? 'w-[300px]' : 'w-72'}
      opensAtOnce={props.opensAtOnce ?? false}
    >
      {close => (
        <LazyBoundary
          fallback={
            <p role="status" className="soon min-h-40 text-12 text-text-2">
              {t.tile.loading}
            </p>
          }
        >
          {props.content?.(close) ?? (
            <FilterControl
              dashboard={dashboard.id}
              state={state}
              field={filter.field}
              label={label}
              control={control}
              format={fieldFormat(dashboard.models, filter.field)}
              condition={condition}
              applied={applied[filter.field]}
              dataTime={props.dataTime}
              onSet={next => props.onFilter(filter.field, next ?? (filter.default ? null : undefined))}
              onClose={close}
            />
          )}
        </LazyBoundary>
      )}
    </Popover>
  );
}

function controlFor(models: readonly ModelSummary[], field: string): NonNullable<DashboardFilter['control']> {
  const type = models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)?.type;
  if (type === 'date' || type === 'time' || type === 'instant') return 'dateRange';
  return ['integer', 'decimal', 'number'].includes(type ?? '') ? 'numberRange' : 'multiSelect';
}
