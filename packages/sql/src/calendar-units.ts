import { repeatOf, startOf, timeUnits, type CalendarUnit } from '@belvedere/query';
import type { Dialect } from './dialect.ts';

const dayMs = 86_400_000;

/** The engine's own unit; undefined for units with a custom start, which engines do not support. */
const plainUnit = (unit: CalendarUnit) => timeUnits.find(plain => plain === unit);

/**
 * The start of the unit that contains a wall-clock time. For weeks and years with a custom start, the time is
 * shifted to the engine's unit and back.
 */
export function beginningOf(unit: CalendarUnit, time: string, dialect: Dialect): string {
  const plain = plainUnit(unit);
  if (plain) return dialect.truncate(plain, time);
  const repeat = repeatOf(unit);
  const moved = (by: 'day' | 'month', count: number, begin: (time: string) => string) =>
    dialect.add(by, String(count), begin(dialect.add(by, String(-count), time)));
  if ('ms' in repeat)
    return moved('day', (repeat.from - startOf('week', repeat.from)) / dayMs, earlier =>
      dialect.truncate('week', earlier),
    );
  return moved('month', repeat.from % repeat.months, earlier =>
    dialect.truncate(repeat.months === 12 ? 'year' : 'quarter', earlier),
  );
}

/** The number of units between `from`, the start of a unit, and a later or equal time, as a whole number. */
export function unitsSince(unit: CalendarUnit, from: string, time: string, dialect: Dialect): string {
  const plain = plainUnit(unit);
  if (plain) return dialect.unitsBetween(plain, from, time);
  const repeat = repeatOf(unit);
  const [by, length] =
    'ms' in repeat ? (['day', repeat.ms / dayMs] as const) : (['month', repeat.months] as const);
  return `floor(${dialect.unitsBetween(by, from, time)} / ${length})`;
}
