import { Coming, fetched } from './lazy.tsx';
import type { DateRangeProps } from './RangeCalendar.tsx';

const RangeCalendar = fetched(() => import('./RangeCalendar.tsx').then(module => module.RangeCalendar));

/** A month in which a first and a last day are picked. The calendar is fetched when it is first shown: most readers never open one. */
export function DateRange(props: DateRangeProps) {
  return (
    <div className="min-h-[272px]">
      <Coming fallback={null}>
        <RangeCalendar {...props} />
      </Coming>
    </div>
  );
}
