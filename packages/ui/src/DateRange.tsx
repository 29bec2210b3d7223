import { lazy, Suspense } from 'react';

export interface DateRangeProps {
  readonly label: string;
  /** First and last day, both included, as `YYYY-MM-DD`. */
  readonly value?: { readonly start: string; readonly end: string };
  /** Where the calendar opens without a value. */
  readonly focus?: string;
  readonly onChange: (range: { readonly start: string; readonly end: string }) => void;
}

const RangeCalendar = lazy(() => import('./RangeCalendar.tsx').then(module => ({ default: module.RangeCalendar })));

/** A month in which a first and a last day are picked. The calendar is fetched when it is first shown: most readers never open one. */
export function DateRange(props: DateRangeProps) {
  return <div className="min-h-[272px]"><Suspense fallback={null}><RangeCalendar {...props} /></Suspense></div>;
}
