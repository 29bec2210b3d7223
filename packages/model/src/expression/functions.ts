import type { DataType } from '../table.ts';

/** What a function takes and gives. `same` is the type of its first argument. */
export interface FunctionSpec {
  readonly takes: readonly (DataKind | 'any')[];
  /** How many of `takes` may be left out, from the end; `Infinity` where the last may be repeated. */
  readonly optional?: number;
  readonly gives: DataType | 'same';
  readonly aggregate?: boolean;
}
export type DataKind = 'number' | 'text' | 'boolean' | 'time';

const aggregate = (takes: FunctionSpec['takes'], gives: FunctionSpec['gives'], optional = 0): FunctionSpec => ({ takes, gives, optional, aggregate: true });
const scalar = (takes: FunctionSpec['takes'], gives: FunctionSpec['gives'], optional = 0): FunctionSpec => ({ takes, gives, optional });

/** Every function an expression may call, each meaning the same on every engine. */
export const functions: Readonly<Record<string, FunctionSpec>> = {
  count: aggregate(['any'], 'integer', 1),
  sum: aggregate(['number'], 'number'),
  avg: aggregate(['number'], 'number'),
  min: aggregate(['any'], 'same'),
  max: aggregate(['any'], 'same'),
  median: aggregate(['number'], 'number'),
  quantile: aggregate(['number', 'number'], 'number'),
  stddev: aggregate(['number'], 'number'),
  variance: aggregate(['number'], 'number'),

  abs: scalar(['number'], 'same'),
  round: scalar(['number', 'number'], 'number', 1),
  floor: scalar(['number'], 'number'),
  ceil: scalar(['number'], 'number'),
  sqrt: scalar(['number'], 'number'),
  power: scalar(['number', 'number'], 'number'),
  ln: scalar(['number'], 'number'),
  log10: scalar(['number'], 'number'),
  exp: scalar(['number'], 'number'),
  sign: scalar(['number'], 'number'),
  greatest: scalar(['any', 'any'], 'same', Infinity),
  least: scalar(['any', 'any'], 'same', Infinity),

  lower: scalar(['text'], 'text'),
  upper: scalar(['text'], 'text'),
  trim: scalar(['text'], 'text'),
  length: scalar(['text'], 'integer'),
  substring: scalar(['text', 'number', 'number'], 'text', 1),
  left: scalar(['text', 'number'], 'text'),
  right: scalar(['text', 'number'], 'text'),
  replace: scalar(['text', 'text', 'text'], 'text'),
  concat: scalar(['any', 'any'], 'text', Infinity),
  starts_with: scalar(['text', 'text'], 'boolean'),
  contains: scalar(['text', 'text'], 'boolean'),

  coalesce: scalar(['any', 'any'], 'same', Infinity),
  nullif: scalar(['any', 'any'], 'same'),

  year: scalar(['time'], 'integer'),
  quarter: scalar(['time'], 'integer'),
  month: scalar(['time'], 'integer'),
  week: scalar(['time'], 'integer'),
  day: scalar(['time'], 'integer'),
  /** Monday is 1, Sunday 7, as ISO 8601 has it. */
  isodow: scalar(['time'], 'integer'),
  hour: scalar(['time'], 'integer'),
  minute: scalar(['time'], 'integer'),
  /** Hours, minutes and seconds are cut off. */
  date: scalar(['time'], 'date'),
  make_date: scalar(['number', 'number', 'number'], 'date'),
  weekday_name: scalar(['time'], 'text'),
  month_name: scalar(['time'], 'text'),
};
