import type { Aggregate, TileKind, TimeUnit } from '@belvedere/document';
import type { TimePart } from '@belvedere/model';
import type { Value } from '../filter.ts';
import type { PhraseField } from './phrase-model.ts';
import type { ShowAs } from '../tiles/table-calculations.ts';
import type { PeriodMatch } from './phrase-periods.ts';

/** A part of a phrase while it is read; marks are words that only tell how the next one is meant. */
export type Piece =
  | { readonly kind: 'field'; readonly field: PhraseField }
  | { readonly kind: 'value'; readonly field: PhraseField; readonly value: Value }
  | { readonly kind: 'period'; readonly period: PeriodMatch }
  | { readonly kind: 'unit'; readonly unit: TimeUnit | undefined; readonly isAdverb: boolean }
  | { readonly kind: 'part'; readonly part: TimePart }
  | { readonly kind: 'calculation'; readonly show: ShowAs }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate }
  | { readonly kind: 'limit'; readonly count: number | undefined; readonly isLowest: boolean }
  | { readonly kind: 'chart'; readonly chart: TileKind }
  | { readonly kind: 'distribution' }
  | { readonly kind: 'mark'; readonly mark: 'by' | 'in' | 'not' | 'versus' | 'filler' }
  | { readonly kind: 'unknown' };

/** A piece that may begin at a word, and how well its words fit. */
export interface Found {
  readonly piece: Piece;
  /** Words. */
  readonly length: number;
  readonly score: number;
}

/** A piece at its place among the phrase's words. */
export interface Placed extends Found {
  readonly at: number;
}
