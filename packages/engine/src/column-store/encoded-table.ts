import type { EncodedField } from './encoded-column.ts';
import type { BitField } from './kernel/scan.ts';
import type { Lookups } from './plan/lookups.ts';

/** The display-resolution columns of one table. */
export interface EncodedTable {
  readonly rows: number;
  /** By `operandKey`. */
  readonly fields: ReadonlyMap<string, PackedBits>;
  readonly lookups: Lookups;
}

/** An encoded field, and the bits that hold its codes. */
export interface PackedBits extends EncodedField {
  readonly bitField: BitField;
}
