import { isMeasureField } from '../tiles/field-facts.ts';
import type { PhraseField, PhraseModel } from './phrase-model.ts';
import type { Found } from './phrase-piece.ts';
import { anyOfWords, textOf, tokensOf, type Token } from './phrase-tokens.ts';
import {
  comparisonWords,
  containmentWords,
  exclusionWords,
  fillers,
  groupingWords,
  weakLabelWords,
} from './phrase-words.ts';

interface Name {
  readonly field: PhraseField;
  readonly tokens: readonly Token[];
  /** How much each token says. */
  readonly weights: readonly number[];
}

/** The names of a model's fields and values, ready to be found in phrases. */
export interface Names {
  readonly fields: readonly Name[];
  readonly values: ReadonlyMap<
    string,
    readonly { readonly field: PhraseField; readonly value: string; readonly tokens: readonly Token[] }[]
  >;
}

const namesCache = new WeakMap<PhraseModel, Names>();
const weak = new Set(weakLabelWords.flatMap(word => tokensOf(word).map(({ text }) => text)));

export function namesOf(model: PhraseModel): Names {
  const cached = namesCache.get(model);
  if (cached) return cached;
  const nameFor = (field: PhraseField, text: string): Name => {
    const tokens = tokensOf(text);
    return { field, tokens, weights: tokens.map(token => (weak.has(token.text) ? 0.15 : 1)) };
  };
  const rows = model.fields.find(field => isMeasureField(field) && field.name === 'rows');
  const fields = model.fields.flatMap(field => [nameFor(field, field.label), nameFor(field, field.name)]);
  const total = totalOf(model);
  const values = model.fields.flatMap(field =>
    (field.values ?? []).map(value => ({ field, value, tokens: tokensOf(value) })),
  );
  const names: Names = {
    fields: [
      ...fields,
      ...(rows ? [nameFor(rows, model.label)] : []),
      ...(total ? [nameFor(total, 'sales')] : []),
    ].filter(({ tokens }) => tokens.length > 0),
    values: Map.groupBy(
      values.filter(({ tokens }) => tokens.some(({ text }) => /\p{L}/u.test(text))),
      ({ tokens }) => tokens[0]!.text.slice(0, 2),
    ),
  };
  namesCache.set(model, names);
  return names;
}

const isSales = (text: string) => tokensOf(text).some(({ keys }) => keys.includes(salesKey));
const salesKey = tokensOf('revenue')[0]!.keys.at(-1)!;

/** Of sales, the total is what they brought in, if nothing else is called so: `sales by city`. */
function totalOf({ label, fields }: PhraseModel): PhraseField | undefined {
  const measures = fields.filter(isMeasureField);
  if (!isSales(label) || measures.some(one => isSales(one.label) && one.name !== 'rows')) return undefined;
  return measures.find(one => /^(?:(?:grand|order|invoice) )?total$/i.test(one.label));
}

const longestName = 5;
const maxFieldsOfSpan = 8;

/** The fields that words from a place on may name. */
export function fieldsAt(tokens: readonly Token[], at: number, { fields }: Names): readonly Found[] {
  const found: Found[] = [];
  for (let length = 1; length <= Math.min(longestName, tokens.length - at); length++) {
    const span = tokens.slice(at, at + length);
    const isAtEnd = at + length === tokens.length;
    const best = new Map<PhraseField, number>();
    for (const name of fields) {
      const quality = likeness(span, name, isAtEnd);
      if (quality > (best.get(name.field) ?? 0)) best.set(name.field, quality);
    }
    found.push(
      ...[...best]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, maxFieldsOfSpan)
        .map(([field, quality]): Found => ({
          piece: { kind: 'field', field },
          length,
          score: quality * length,
        })),
    );
  }
  return found;
}

/**
 * How well words name a field, 0 to 1: each must be one of the name's, in its order. The last may be begun
 * only.
 */
function likeness(span: readonly Token[], { tokens, weights }: Name, isAtEnd: boolean): number {
  let covered = 0;
  let quality = 0;
  let from = 0;
  for (const [i, token] of span.entries()) {
    let best = 0;
    let at = -1;
    for (let k = from; k < tokens.length; k++) {
      const match = wordLikeness(token, tokens[k]!, isAtEnd && i === span.length - 1);
      if (match > best) [best, at] = [match, k];
    }
    if (at < 0) return 0;
    covered += weights[at]!;
    quality += best;
    from = at + 1;
  }
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const share = covered / all;
  // A weak word alone names no field: `total` of `Total freight`.
  if (covered < 0.5 && span.length < tokens.length) return 0;
  return (quality / span.length) * (0.6 + 0.4 * share);
}

function wordLikeness(typed: Token, known: Token, mayBeBegun: boolean): number {
  if (typed.text === known.text) return 1;
  if (typed.keys[0] === known.keys[0]) return 0.97;
  if (typed.keys.some((key, i) => i > 0 && known.keys.includes(key, 1))) return 0.92;
  const minLength = /^\p{Script=Han}/u.test(typed.text) ? 1 : 3;
  if (typed.text.length >= minLength && known.text.startsWith(typed.text))
    return (mayBeBegun ? 0.75 : 0.6) + 0.2 * (typed.text.length / known.text.length);
  // Longer words of German: `land` of `Kundenland`.
  return typed.text.length >= 4 && known.text.length > typed.text.length && known.text.endsWith(typed.text)
    ? 0.6
    : 0;
}

/** The values that words from a place on may name. */
export function valuesAt(tokens: readonly Token[], at: number, { values }: Names): readonly Found[] {
  const first = tokens[at]!;
  const found: Found[] = [];
  for (const { field, value, tokens: wanted } of values.get(first.text.slice(0, 2)) ?? []) {
    const span = tokens.slice(at, at + wanted.length);
    const isWhole = span.length === wanted.length && wanted.every((token, i) => token.text === span[i]!.text);
    const isEnd = at + span.length === tokens.length && span.length > 0;
    const isBegun =
      !isWhole &&
      isEnd &&
      textOf(span).length >= 3 &&
      textOf(wanted).startsWith(textOf(span)) &&
      !/^\d/.test(first.text);
    if (!isWhole && !isBegun) continue;
    // `IN` is Indiana only in capitals.
    if (wanted.length === 1 && grammarWords.test(first.text) && first.raw !== value) continue;
    found.push({
      piece: { kind: 'value', field, value },
      length: span.length,
      score: span.length * (isWhole ? 0.98 : 0.55 + 0.25 * (textOf(span).length / textOf(wanted).length)),
    });
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, maxFieldsOfSpan);
}
const grammarWords = new RegExp(
  `^${anyOfWords(groupingWords, containmentWords, exclusionWords, comparisonWords, fillers)}$`,
);
