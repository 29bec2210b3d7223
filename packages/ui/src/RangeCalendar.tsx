import { CalendarDate, parseDate } from '@internationalized/date';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Button as AriaButton,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar as AriaRangeCalendar,
} from 'react-aria-components';

export interface DateRangeProps {
  readonly label: string;
  /** First and last day, both included, as `YYYY-MM-DD`. */
  readonly value?: { readonly start: string; readonly end: string };
  /** The day at which the calendar opens without a value. */
  readonly focus?: string;
  /** The first day of the week; defaults to that of the user's locale. */
  readonly weekStart?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
  readonly onChange: (range: { readonly start: string; readonly end: string }) => void;
}

/** The calendar that `DateRange` loads on demand. */
export function RangeCalendar({ label, value, focus, weekStart, onChange }: DateRangeProps) {
  const shown = value && { start: parseDate(value.start), end: parseDate(value.end) };
  return (
    <AriaRangeCalendar
      aria-label={label}
      value={shown ?? null}
      {...((value?.end ?? focus)
        ? { defaultFocusedValue: parseDate((value?.end ?? focus)!) as CalendarDate }
        : {})}
      onChange={range => range && onChange({ start: range.start.toString(), end: range.end.toString() })}
      {...(weekStart && { firstDayOfWeek: weekStart.slice(0, 3) as 'mon' })}
      className="w-full"
    >
      <header className="flex items-center justify-between pb-2">
        <AriaButton
          slot="previous"
          className="flex size-7 items-center justify-center rounded-control text-text-2 hover:bg-hover"
        >
          <ChevronLeft size={16} aria-hidden />
        </AriaButton>
        <Heading className="text-13 font-semibold" />
        <AriaButton
          slot="next"
          className="flex size-7 items-center justify-center rounded-control text-text-2 hover:bg-hover"
        >
          <ChevronRight size={16} aria-hidden />
        </AriaButton>
      </header>
      <CalendarGrid className="w-full">
        <CalendarGridHeader>
          {day => (
            <CalendarHeaderCell className="h-7 text-center text-11 font-medium text-text-3">
              {day}
            </CalendarHeaderCell>
          )}
        </CalendarGridHeader>
        <CalendarGridBody>
          {date => (
            <CalendarCell
              date={date}
              className="tabular flex h-8 w-full items-center justify-center text-12 text-text hover:bg-hover data-[selected]:bg-accent-weak data-[outside-month]:invisible data-[selection-end]:rounded-r-control data-[selection-end]:bg-accent data-[selection-end]:text-on-accent data-[selection-start]:rounded-l-control data-[selection-start]:bg-accent data-[selection-start]:text-on-accent"
            />
          )}
        </CalendarGridBody>
      </CalendarGrid>
    </AriaRangeCalendar>
  );
}
