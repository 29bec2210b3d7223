import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { DateRangeProps } from './RangeCalendar.tsx';

export const RangeCalendar = lazyComponent(() =>
  import('./RangeCalendar.tsx').then(module => module.RangeCalendar),
);

/**
 * A calendar for choosing a first and a last day. Its code loads when it is first shown, since most viewers
 * never open one.
 */
export function DateRange(props: DateRangeProps) {
  return (
    <div className="min-h-[272px]">
      <LazyBoundary fallback={null}>
        <RangeCalendar {...props} />
      </LazyBoundary>
    </div>
  );
}
