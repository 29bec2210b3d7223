import type { FunctionUnit } from '@belvedere/model';

/** Writes the beginning of a time's unit. */
export function truncated(unit: FunctionUnit, time: string): string {
  switch (unit) {
    case 'year':
      return `cast(makedate(year(${time}), 1) as datetime)`;
    case 'quarter':
      return `cast(makedate(year(${time}), 1) + interval (quarter(${time}) - 1) quarter as datetime)`;
    case 'month':
      return `cast(date_format(${time}, '%Y-%m-01') as datetime)`;
    case 'week':
      return `cast(date(${time}) - interval weekday(${time}) day as datetime)`;
    case 'day':
      return `cast(date(${time}) as datetime)`;
    case 'hour':
      return `cast(date_format(${time}, '%Y-%m-%d %H:00:00') as datetime)`;
    case 'minute':
      return `cast(date_format(${time}, '%Y-%m-%d %H:%i:00') as datetime)`;
    case 'second':
      return `cast(date_format(${time}, '%Y-%m-%d %H:%i:%s') as datetime)`;
  }
}

/** Writes the number of units that begin between two times. */
export function unitsBetween(unit: FunctionUnit, from: string, to: string): string {
  const months = (time: string) => `(year(${time}) * 12 + month(${time}))`;
  const quarters = (time: string) => `(year(${time}) * 4 + quarter(${time}))`;
  switch (unit) {
    case 'year':
      return `(year(${to}) - year(${from}))`;
    case 'quarter':
      return `(${quarters(to)} - ${quarters(from)})`;
    case 'month':
      return `(${months(to)} - ${months(from)})`;
    case 'week':
      return `cast((datediff(${to}, ${from}) - weekday(${to}) + weekday(${from})) / 7 as signed)`;
    case 'day':
      return `datediff(${to}, ${from})`;
    default:
      return `timestampdiff(${unit}, ${truncated(unit, from)}, ${truncated(unit, to)})`;
  }
}
