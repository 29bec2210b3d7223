import { statSync } from 'node:fs';
import type { PackedBits } from '../encoded-table.ts';

/** The JSON file beside a file of encoded words. It maps fields to bits. */
export interface EncodingManifest {
  readonly version: typeof codesVersion;
  readonly rows: number;
  readonly words: number;
  readonly fields: readonly PackedBits[];
  /**
   * Fields that codes cannot represent, because of their type or too many values. They are not tried again.
   */
  readonly refused: readonly string[];
}

export const codesVersion = 2;

/** Whether `file` contains all `words` × `rows` words. */
export function isWhole(file: string, { rows, words }: EncodingManifest): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === rows * words * 4;
}
