/** Of so few letters, many names have some in common. */
const minSharedLetters = 3;
/** Pairs of letters compared for one misspelt name, some milliseconds. Beside thousands of long names, the last are
 * not compared. */
const maxComparisons = 100_000;

/**
 * Returns the name in `names` closest to a misspelt one; undefined if none is close enough. The maximum
 * distance is a third of the letters (Damerau–Levenshtein, so two swapped letters count once). If none is so
 * close, the name of the nearest length that begins with the misspelt one, with which that begins, or that has it
 * as a word: `category_name` for `category`, `warn` for `warning`.
 */
export function closestName(wrong: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  return misspelt(wrong, all) ?? shortenedOrExtended(wrong.toLowerCase(), all);
}

function shortenedOrExtended(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length < minSharedLetters) return undefined;
  return names
    .filter(name => {
      const other = name.toLowerCase();
      return (
        other.startsWith(wrong) ||
        (other.length >= minSharedLetters && wrong.startsWith(other)) ||
        (other.includes(wrong) && other.split(/[^\p{L}\p{N}]+/u).includes(wrong))
      );
    })
    .toSorted((a, b) => Math.abs(a.length - wrong.length) - Math.abs(b.length - wrong.length))[0];
}

function misspelt(wrong: string, names: readonly string[]): string | undefined {
  const budget = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let bestDistance = budget + 1;
  let comparisons = 0;
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    comparisons += name.length * wrong.length;
    if (comparisons > maxComparisons) break;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns “; did you mean `x`?”, or empty text. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const name = closestName(wrong, names);
  return name === undefined ? '' : `; did you mean \`${name}\`?`;
}

/** The name that a message suggests. */
export function offeredIn(message: string): string | undefined {
  return /; did you mean `([^`]+)`\?/.exec(message)?.[1];
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, substituted);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
