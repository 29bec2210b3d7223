import type { TimeUnit } from '@belvedere/document';
import type { CastType } from '@belvedere/model';

/** The few things that engines say differently. Everything else is written once, in write-sql.ts. */
export interface Dialect {
  readonly name: 'duckdb';
  readonly quote: (name: string) => string;
  readonly placeholder: (number: number) => string;
  /** A text as a literal. */
  readonly text: (value: string) => string;
  /** A wall-clock time given in milliseconds, as a literal. */
  readonly time: (ms: number) => string;
  /** An instant as the zone's wall-clock time. The zone is one of Intl's own names, so it needs no escaping. */
  readonly local: (instant: string, zone: string) => string;
  readonly truncate: (unit: TimeUnit, time: string) => string;
  /** How many beginnings of a unit lie between two times, as a whole number. */
  readonly unitsBetween: (unit: TimeUnit, from: string, to: string) => string;
  /** Where in a list of literals a text stands, from 0; null where it stands nowhere. */
  readonly positionIn: (text: string, list: readonly string[]) => string;
  readonly castTypes: Readonly<Record<CastType, string>>;
  readonly double: (value: string) => string;
  /** Functions whose name or shape differs from `name(args)`. */
  readonly functions: Readonly<Record<string, (args: readonly string[]) => string>>;
}

/** Quotes a name, doubling the quote inside it. */
export const quoteWith = (mark: string) => (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
