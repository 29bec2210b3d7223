import { repeatOf, startOf, timeUnits, type CalendarUnit } from '@belvedere/query';
import type { Dialect } from './dialect.ts';

const dayMs = 86_400_000;

/** The unit as engines know it: those with a beginning of their own are none of theirs. */
const plainUnit = (unit: CalendarUnit) => timeUnits.find(plain => plain === unit);

/** The beginning of the unit a wall-clock time lies in. Weeks and years that begin elsewhere than the engine's are moved onto those, and back. */
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

/** How many units have begun between `from`, a unit's beginning, and a time not before it, as a whole number. */
export function unitsSince(unit: CalendarUnit, from: string, time: string, dialect: Dialect): string {
  const plain = plainUnit(unit);
  if (plain) return dialect.unitsBetween(plain, from, time);
  const repeat = repeatOf(unit);
  const [by, length] =
    'ms' in repeat ? (['day', repeat.ms / dayMs] as const) : (['month', repeat.months] as const);
  return `floor(${dialect.unitsBetween(by, from, time)} / ${length})`;
}
