import { lazy, Suspense } from 'react';
import type { DateRangeProps } from './RangeCalendar.tsx';

const RangeCalendar = lazy(() => import('./RangeCalendar.tsx').then(module => ({ default: module.RangeCalendar })));

/** A month in which a first and a last day are picked. The calendar is fetched when it is first shown: most readers never open one. */
export function DateRange(props: DateRangeProps) {
  return <div className="min-h-[272px]"><Suspense fallback={null}><RangeCalendar {...props} /></Suspense></div>;
}
