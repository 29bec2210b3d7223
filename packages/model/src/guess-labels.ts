import { labelFrom } from '@belvedere/document';

/** A label this long is read to its end wherever there is room for a title. */
const longEnough = 40;
/** Labels that share fewer letters than these are told apart by their beginnings. */
const sharedLetters = 24;

/**
 * What columns are called: their names in words. Where several long ones begin with the same words, as a survey's questions do (`How much
 * do you agree: pay is fair`, `… : managers listen`), they would look the same wherever they are cut, so that each has `… ` and what is
 * its own. In the order of the names.
 */
export function guessLabels(columns: readonly string[]): readonly string[] {
  const labels = columns.map(labelFrom);
  const long = labels.filter(label => label.length > longEnough);
  const beginnings = Map.groupBy(long, label => label.slice(0, sharedLetters));
  const own = labels.map(label => {
    const alike = (label.length > longEnough && beginnings.get(label.slice(0, sharedLetters))) || [];
    return alike.length > 1 ? ownOf(label, alike) : undefined;
  });
  const ways = [labels.map((label, i) => (own[i] === undefined ? label : `… ${own[i]}`)), labels.map((label, i) => (own[i] === undefined ? label : `${label.slice(0, sharedLetters).replace(/\s?\S*$/u, '')}… ${own[i]}`)), labels];
  // The same answers may be to several questions: then as much as tells those apart stands before.
  const times = ways.map(way => Map.groupBy(way, label => label));
  return labels.map((label, i) => ways.find((way, which) => times[which]!.get(way[i]!)!.length === 1)?.[i] ?? label);
}

/** What of a label is its own, in whole words; none where nothing is. */
function ownOf(label: string, alike: readonly string[]): string | undefined {
  let shared = label.length;
  for (const other of alike) while (!other.startsWith(label.slice(0, shared))) shared--;
  // Whole words are left out; forms put what is their own in brackets.
  const isInWord = alike.some(other => /^[\p{L}\p{M}\p{N}]/u.test(other.slice(shared)));
  const end = isInWord ? label.slice(0, shared).search(/[\p{L}\p{M}\p{N}]*$/u) : shared;
  const rest = label.slice(end).replace(/^[\p{P}\s]+/u, '').replace(/^([^[]*)\]$/, '$1');
  return end >= sharedLetters / 2 && rest !== '' ? rest : undefined;
}
