import type { TimePart } from '@belvedere/model';
import type { FieldFacts } from '../tiles/field-facts.ts';

/** A field by which a phrase may name it, with the values that the phrase may contain. */
export interface PhraseField extends FieldFacts {
  readonly values?: readonly string[];
}

/** What a phrase may be about. */
export interface PhraseModel {
  readonly name: string;
  readonly label: string;
  /** The main time dimension. */
  readonly time?: string;
  /** Measures and dimensions that lists offer, in the model's order. */
  readonly fields: readonly PhraseField[];
  readonly rows?: number;
  /** The parts of its time, which lists do not offer. */
  readonly timeParts?: Readonly<Partial<Record<TimePart, PhraseField>>>;
}
