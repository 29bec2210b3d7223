import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { DateRangeProps } from './RangeCalendar.tsx';

const RangeCalendar = lazyComponent(() => import('./RangeCalendar.tsx').then(module => module.RangeCalendar));

/** A month in which a first and a last day are picked. The calendar is fetched when it is first shown: most readers never open one. */
export function DateRange(props: DateRangeProps) {
  return (
    <div className="min-h-[272px]">
      <LazyBoundary fallback={null}>
        <RangeCalendar {...props} />
      </LazyBoundary>
    </div>
  );
}
