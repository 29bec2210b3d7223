import type { DashboardState } from '@belvedere/api';
import { addUnits, formatCalendarTime, parseCalendarTime } from '@belvedere/query';
import { DateRange } from '@belvedere/ui';
import { t } from '../../messages/messages.ts';
import { useCalendar } from '../chart/calendar.ts';

type Days = Exclude<NonNullable<DashboardState['compare']>, string>;

/** A first and a last day to compare with. */
export default function ComparisonRange({
  chosen,
  dataTime,
  onChoose,
}: {
  readonly chosen: Days | undefined;
  readonly dataTime: string | undefined;
  readonly onChoose: (days: Days) => void;
}) {
  const calendar = useCalendar();
  const lastDay = (below: string) =>
    formatCalendarTime(addUnits('day', parseCalendarTime(below), -1)).slice(0, 10);
  return (
    <DateRange
      label={t.filters.compareWith.custom}
      weekStart={calendar.weekStart}
      {...(chosen && {
        value: {
          start: formatCalendarTime(parseCalendarTime(chosen.from)).slice(0, 10),
          end: lastDay(chosen.below),
        },
      })}
      {...(dataTime && { focus: dataTime.slice(0, 10) })}
      onChange={({ start, end }) =>
        onChoose({ from: start, below: formatCalendarTime(addUnits('day', parseCalendarTime(end), 1)) })
      }
    />
  );
}
