import { labelFrom } from '@belvedere/document';

/** A label this long is read to its end wherever there is room for a title. */
const longEnough = 40;
/** Labels that share fewer letters than these are told apart by their beginnings. */
const sharedLetters = 24;

/**
 * What columns are called: their names in words. Where several long ones begin with the same words, as a
 * survey's questions do (`How much
 * do you agree: pay is fair`, `… : managers listen`), they would look the same wherever they are cut, so that
 * each has `… ` and what is
 * its own. In the order of the names.
 */
export function inferLabels(columns: readonly string[]): readonly string[] {
  const labels = columns.map(labelFrom);
  const long = labels.filter(label => label.length > longEnough);
  const groups = new Map(
    [...Map.groupBy(long, label => label.slice(0, sharedLetters))].flatMap(([beginning, alike]) =>
      alike.length > 1 ? [[beginning, sharedWords(alike)] as const] : [],
    ),
  );
  if (groups.size === 0) return labels;
  const own = labels.map(label => {
    const shared = label.length > longEnough ? groups.get(label.slice(0, sharedLetters)) : undefined;
    return shared === undefined ? undefined : ownOf(label, shared);
  });
  const ways = [
    labels.map((label, i) => (own[i] === undefined ? label : `… ${own[i]}`)),
    labels.map((label, i) =>
      own[i] === undefined ? label : `${label.slice(0, sharedLetters).replace(/\s?\S*$/u, '')}… ${own[i]}`,
    ),
    labels,
  ];
  // The same answers may be to several questions: then as much as tells those apart stands before.
  const times = ways.map(way => Map.groupBy(way, label => label));
  return labels.map(
    (label, i) => ways.find((way, which) => times[which]!.get(way[i]!)!.length === 1)?.[i] ?? label,
  );
}

/** How many letters labels share at their beginning, in whole words. */
function sharedWords(alike: readonly string[]): number {
  const sorted = alike.toSorted();
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  let shared = 0;
  while (shared < first.length && first[shared] === last[shared]) shared++;
  const isInWord = alike.some(label => /^[\p{L}\p{M}\p{N}]/u.test(label.slice(shared)));
  return isInWord ? first.slice(0, shared).search(/[\p{L}\p{M}\p{N}]*$/u) : shared;
}

/** What of a label is its own; none where nothing is. Forms put that in brackets. */
function ownOf(label: string, shared: number): string | undefined {
  const rest = label
    .slice(shared)
    .replace(/^[\p{P}\s]+/u, '')
    .replace(/^([^[]*)\]$/, '$1');
  return shared >= sharedLetters / 2 && rest !== '' ? rest : undefined;
}
