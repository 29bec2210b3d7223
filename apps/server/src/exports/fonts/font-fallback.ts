import bidiFactory from 'bidi-js';
import { openSync, type Font } from 'fontkit';
import { interFonts, scriptFonts, type FontFiles } from './fonts.ts';

/** Part of a text with the font family that draws it. */
export interface Run {
  readonly text: string;
  /** Its index in `families`. */
  readonly family: number;
}

/**
 * Chooses the font family of each letter: Inter if it has the letter, then the workspace's own fonts, then
 * Noto. A font is opened when a letter first needs it.
 */
export class Typesetter {
  readonly families: readonly FontFiles[];
  readonly #opened = new Map<number, Font | undefined>();
  readonly #familyOf = new Map<string, number>();

  /** @param own as from `workspaceFonts` */
  constructor(own: readonly string[]) {
    this.families = [interFonts, ...own.map((file): FontFiles => [file]), ...scriptFonts];
  }

  /**
   * Splits a text into as few runs as its letters allow. Letters that no family has stay in Inter, which
   * draws a box.
   */
  runs(text: string): Run[] {
    const runs: { text: string; family: number }[] = [];
    for (const letter of text) {
      const last = runs.at(-1);
      // Characters between letters take the family of their neighbours.
      const family =
        last && /[\s\p{P}\p{M}]/u.test(letter) && this.#has(last.family, letter)
          ? last.family
          : this.#find(letter);
      if (last?.family === family) last.text += letter;
      else runs.push({ text: letter, family });
    }
    return runs;
  }

  /** Returns the text as a single run if one family has all of its letters. */
  inOne(text: string): Run[] | undefined {
    const family = this.families.findIndex((_, candidate) =>
      [...text].every(letter => this.#has(candidate, letter)),
    );
    return family < 0 ? undefined : [{ text, family }];
  }

  /** The family name in the font file. */
  nameOf(family: number): string {
    const font = this.#font(family);
    // If each weight has a name of its own, the preferred family name is the one that they share.
    const common = (font as { name?: { records?: { preferredFamily?: { en?: string } } } } | undefined)?.name
      ?.records?.preferredFamily?.en;
    return common ?? font?.familyName ?? 'Inter';
  }

  #find(letter: string): number {
    const known = this.#familyOf.get(letter);
    if (known !== undefined) return known;
    const found = Math.max(
      0,
      this.families.findIndex((_, family) => this.#has(family, letter)),
    );
    this.#familyOf.set(letter, found);
    return found;
  }

  #has(family: number, letter: string): boolean {
    return this.#font(family)?.hasGlyphForCodePoint(letter.codePointAt(0)!) ?? false;
  }

  #font(family: number): Font | undefined {
    if (!this.#opened.has(family)) this.#opened.set(family, open(this.families[family]![0]));
    return this.#opened.get(family);
  }
}

/** @returns undefined for a file that is not a single font */
function open(file: string): Font | undefined {
  try {
    const font = openSync(file);
    return 'hasGlyphForCodePoint' in font ? font : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Splits the texts of one of Belvedere's SVGs into runs, each with the family that has its letters. Texts
 * that Inter covers completely stay unchanged.
 * @param change transforms a text's runs before they are written, for example their order
 */
export function typeset(
  svg: string,
  typesetter: Typesetter,
  nameOf: (family: number) => string,
  change: (text: string, typesetter: Typesetter) => Run[] = (text, setter) => setter.runs(text),
): string {
  // SVGs have texts in `text` elements only. Some letters are written as character references.
  return svg.replace(/(<text\b[^>]*>)([^<]*)(?=<\/text>)/g, (_, opening: string, written: string) => {
    const text = written.replace(/&#(\d+);/g, (__, code: string) => String.fromCodePoint(Number(code)));
    const runs = change(text, typesetter);
    if (runs.every(({ family }) => family === 0)) return opening + written;
    return (
      opening +
      runs
        .map(run => `<tspan font-family="${escape(nameOf(run.family))}">${escape(run.text)}</tspan>`)
        .join('')
    );
  });
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, letter => `&#${letter.codePointAt(0)};`);
}

const bidi = bidiFactory();

/**
 * Returns a text's runs in visual order from left to right, each in its script's direction, for renderers
 * that lay out single words.
 * @see https://www.unicode.org/reports/tr9/ rule L2
 */
export function visualRuns(text: string, typesetter: Typesetter): Run[] {
  if (!/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text))
    return typesetter.runs(text);
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr');
  let at = 0;
  const pieces = typesetter.runs(text).flatMap(({ text: run, family }) => {
    const own: { text: string; family: number; level: number; isWord: boolean }[] = [];
    for (const letter of run) {
      const level = levels[at]!;
      at += letter.length;
      const isWord = /[\p{L}\p{M}\p{N}]/u.test(letter);
      const last = own.at(-1);
      if (last && last.level === level && (level % 2 === 0 || (isWord && last.isWord))) last.text += letter;
      else
        own.push({
          text: level % 2 === 1 ? (bidi.getMirroredCharacter(letter) ?? letter) : letter,
          family,
          level,
          isWord,
        });
    }
    return own;
  });
  for (let level = Math.max(...pieces.map(piece => piece.level)); level > 0; level--) {
    for (let from = 0; from < pieces.length; from++) {
      if (pieces[from]!.level < level) continue;
      let below = from;
      while (below < pieces.length && pieces[below]!.level >= level) below++;
      pieces.splice(from, below - from, ...pieces.slice(from, below).toReversed());
      from = below;
    }
  }
  return pieces.map(piece => ({ text: piece.text, family: piece.family }));
}
