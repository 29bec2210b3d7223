import type { PaletteItem, PaletteSection } from '@belvedere/ui';

/** A result of the palette, with other words by which it is found. */
export interface RankedItem extends PaletteItem {
  readonly terms?: readonly string[];
  /** Instead of how well its words match; 0 to 100. */
  readonly rank?: number;
}
export interface RankedSection extends PaletteSection {
  readonly items: readonly RankedItem[];
  /** So many items are listed. */
  readonly limit?: number;
  /** Whether its items are listed before anything was typed. */
  readonly isAlways?: boolean;
}

const defaultLimit = 6;

/**
 * How well a text matches a search, 0 to 100: equal, begins with it, has a word that begins with it, contains
 * it, or contains each of its words.
 */
export function rankOf(text: string, search: string): number {
  const [all, wanted] = [folded(text), folded(search).trim()];
  if (wanted === '') return 1;
  if (all === wanted) return 100;
  if (all.startsWith(wanted)) return 90;
  const words = wanted.split(/\s+/);
  const isBegun = (word: string) => all.split(/[^\p{L}\p{N}]+/u).some(one => one.startsWith(word));
  if (all.includes(wanted)) return isBegun(words[0]!) ? 80 : 60;
  if (words.length > 1 && words.every(word => all.includes(word))) return words.every(isBegun) ? 70 : 50;
  return 0;
}

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();

/** The sections with the items that match, the best first. Sections follow their best items. */
export function rankSections(sections: readonly RankedSection[], search: string): readonly PaletteSection[] {
  const isEmpty = search.trim() === '';
  return sections
    .filter(section => !isEmpty || section.isAlways)
    .map(({ title, items, limit = defaultLimit }) => {
      const ranked = items
        .map(item => ({
          item,
          rank:
            item.rank ??
            Math.max(
              rankOf(item.title, search),
              ...(item.terms ?? []).map(term => Math.max(0, rankOf(term, search) - 5)),
            ),
        }))
        .filter(({ rank }) => rank > 0)
        .toSorted((a, b) => b.rank - a.rank);
      return {
        title,
        best: ranked[0]?.rank ?? 0,
        items: ranked.slice(0, isEmpty ? undefined : limit).map(({ item }) => item),
      };
    })
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => (isEmpty ? 0 : b.best - a.best));
}
