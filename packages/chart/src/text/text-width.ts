/** The advance of each character from a blank to `~` in Inter 4, regular, in hundredths of its size. */
const advances = [
  28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57, 62, 62, 29,
  30, 66, 66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76, 64, 76, 64, 64, 65, 74,
  69, 99, 68, 68, 63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61, 59, 24, 24, 55, 24, 88, 59, 60, 61,
  61, 38, 53, 33, 59, 56, 82, 55, 56, 55, 43, 33, 43, 66,
];
const others: Readonly<Record<string, number>> = {
  '–': 60,
  '—': 110,
  '−': 66,
  '…': 86,
  '·': 29,
  '’': 26,
  '‘': 26,
  '“': 44,
  '”': 44,
  '„': 42,
  '→': 95,
  '←': 95,
  ß: 62,
  ø: 60,
  Ø: 76,
  æ: 92,
  Æ: 99,
  œ: 100,
  Œ: 100,
  ł: 24,
  Ł: 59,
  ı: 24,
  '°': 46,
};

/**
 * How wide a text is in Inter, without a canvas to measure it on: right to three or four per cent for Latin,
 * about right for the rest.
 */
export function textWidth(text: string, size: number, weight = 400): number {
  let hundredths = 0;
  for (const character of text) hundredths += advanceOf(character);
  return (hundredths / 100) * size * (weight >= 600 ? semibold : 1);
}

/** How much wider Inter is so. */
const semibold = 1.03;

/** Whether that is known, and not guessed: of texts in Latin letters. */
export function hasKnownWidth(text: string): boolean {
  return [...text].every(character => knownAdvance(character) !== undefined);
}

function knownAdvance(character: string): number | undefined {
  const code = character.codePointAt(0)!;
  // Combining accents have no width.
  return (
    advances[code - 32] ??
    others[character] ??
    (code >= 0xc0 && code < 0x250 ? advances[character.normalize('NFD').codePointAt(0)! - 32] : undefined)
  );
}

function advanceOf(character: string): number {
  const known = knownAdvance(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0)!;
  if (code >= 0xc0 && code < 0x250) return 62;
  if (/\p{M}/u.test(character)) return 0;
  // Ideographs and syllables take a square.
  return code > 0x2e80 ? 100 : /\p{Lu}/u.test(character) ? 75 : 63;
}

/**
 * The text in lines of at most `width`, broken between words. The last line ends in an ellipsis if the text
 * is longer.
 */
export function wrapText(text: string, width: number, size: number, maxLines: number): readonly string[] {
  const lines = brokenLines(text, width, size);
  // The last line continues with the text's own spaces and hyphens.
  const kept =
    lines.length > maxLines ? [...lines.slice(0, maxLines - 1), lines.slice(maxLines - 1).join('')] : lines;
  return kept.map(line => fitText(line.trimEnd(), width, size));
}

/** How many lines no wider than `width` a text takes; Infinity where a word is wider. */
export function linesOf(text: string, width: number, size: number): number {
  const lines = brokenLines(text, width, size);
  return lines.every(line => isFitting(line.trimEnd(), width, size)) ? lines.length : Infinity;
}

/** The whole text in lines, each with its trailing space. A word wider than a line has its own. */
function brokenLines(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = [];
  for (const word of wordsOf(text)) {
    const line = lines.at(-1);
    if (line !== undefined && (word.trim() === '' || isFitting(line + word, width, size)))
      lines[lines.length - 1] = line + word;
    else lines.push(word);
  }
  return lines;
}

/** Words and the blanks between them. Ideographs may break anywhere, other words after a hyphen or a slash. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+/gu) ?? [];
  return words.flatMap(word =>
    word.trim() === '' ? [' '] : word.replaceAll(/(\p{L}[-–/])(?=\p{L})/gu, '$1\n').split('\n'),
  );
}

/** The text, or its beginning with an ellipsis if it is too wide. */
export function fitText(text: string, width: number, size: number): string {
  if (isFitting(text, width, size)) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, size) > width) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** The text, or as much of its beginning and its end as fits, with an ellipsis between them. */
export function fitEnds(text: string, width: number, size: number): string {
  if (isFitting(text, width, size)) return text;
  const cut = (kept: number) =>
    `${text.slice(0, Math.ceil(kept / 2)).trimEnd()}…${text.slice(text.length - Math.floor(kept / 2)).trimStart()}`;
  let kept = text.length - 1;
  while (kept > 2 && textWidth(cut(kept), size) > width) kept--;
  return cut(kept);
}

/** A tolerance for rounding: the room made for a text may differ from its width by a rounding error. */
function isFitting(text: string, width: number, size: number): boolean {
  return textWidth(text, size) <= width + 0.01;
}
