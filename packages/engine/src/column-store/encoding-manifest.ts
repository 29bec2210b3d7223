import { statSync } from 'node:fs';
import type { PackedBits } from './plan-scan.ts';

/** What lies beside a file of coded words: which bits of them are which field. */
export interface EncodingManifest {
  readonly version: typeof codesVersion;
  readonly rows: number;
  readonly words: number;
  readonly fields: readonly PackedBits[];
  /** Fields with too many values, or of a kind, that codes cannot stand for. They are not tried again. */
  readonly refused: readonly string[];
}

export const codesVersion = 2;

/** Whether words of `words` × `rows` lie in `file`, whole. */
export function isWhole(file: string, { rows, words }: EncodingManifest): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === rows * words * 4;
}
