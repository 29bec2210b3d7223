/** Lines whose tags, anchors, texts, tabs, comments and odd characters a parser reads in different ways. */
const lines: readonly ((i: number) => string)[] = [
  i => `k${i}: !!str 1`,
  i => `k${i}: !<tag:yaml.org,2002:str> x`,
  i => `- !t${i} {a: 1}`,
  i => `k${i}: &a${i % 40} v`,
  i => `k${i}: *a1`,
  () => '<<: [*a1, *a1]',
  i => `k${i}: |2-\n    x\n`,
  i => `k${i}: >+\n  a\n   b\n\n`,
  i => `k${i}: >9\n x`,
  i => `k${i}: | # c\n # d`,
  i => `k${i}: plain words that go\n  on and on # c`,
  i => `k${i}: "\\ud83d\\ude00"`,
  i => `k${i}: "\ud83d"`,
  i => `\ud83d\ude00${i}: \udc00x`,
  () => '\t# after a tab',
  i => `k${i}:\t1\t# c`,
  i => `# ${'#'.repeat(i % 50)}`,
  i => `? [a${i}, b]\n: {c: d}`,
  i => `"k${i}" : 'it''s'`,
  i => `k${i}: "a\\\n  b"`,
  i => `k${i}: {a, b: , ? c}`,
  i => `${' '.repeat(i % 45)}k${i}:`,
  i => `%TAG ! tag:x${i},2000:\n---`,
  i => `k${i}: ${'a:'.repeat(20)}`,
  i => `k${i}: ${'a #'.repeat(20)}`,
  i => `\u2028k${i}: \u0085`,
  i => `\ufeffk${i}: 1`,
  i => `k${i}: '${'\n'.repeat(6)}'`,
  i => `k${i}: ${'9'.repeat(60)}e${i}`,
  () => '...',
  i => `! ! ${i}`,
  i => `&a &b${i} x`,
];

/** Some of these lines in turn, some of them indented. */
function mixedLines(size: number, random: () => number, end: string): string {
  const chosen = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => lines[Math.floor(random() * lines.length)]!,
  );
  const indent = ' '.repeat(random() < 0.3 ? Math.floor(random() * 8) : 0);
  return repeated(size, i => `${indent}${chosen[i % chosen.length]!(i)}${end}`);
}

/** Texts made to be slow to parse: shapes of YAML that repeat one piece up to a size. */
const shapes: Readonly<Record<string, (size: number, random: () => number) => string>> = {
  mixedLines: (size, random) => mixedLines(size, random, '\n'),
  mixedInFlow: (size, random) => `a: [${mixedLines(size, random, ',')}`,
  mixedInText: (size, random) => `a: |\n${mixedLines(size, random, '\n')}`,
  flowMap: size => `a: {${repeated(size, i => `k${i}: 1, `)}}`,
  flowMapOnLines: size => `a: {${repeated(size, i => `k${i}: 1,\n `)}}`,
  flowKeys: size => `a: {${repeated(size, i => `k${i},`)}}`,
  flowList: size => `a: [${repeated(size, () => '1,')}1]`,
  flowCommas: size => `a: [${repeated(size, () => ',')}]`,
  flowPairs: size => `a: [${repeated(size, () => 'a: 1,')}]`,
  flowQuestions: size => `a: [${repeated(size, () => '? a : 1,')}]`,
  nestedFlows: (size, random) => {
    const depth = 1 + Math.floor(random() * 46);
    return `a: [${repeated(size, () => `${'['.repeat(depth)}1${']'.repeat(depth)},`)}]`;
  },
  nestedMaps: (size, random) => {
    const depth = 1 + Math.floor(random() * 46);
    return `a: [${repeated(size, () => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)},`)}]`;
  },
  blockMap: size => repeated(size, i => `k${i}: 1\n`),
  blockMaps: size => repeated(size, i => `k${i}:\n a:\n  b:\n   c: 1\n`),
  blockList: size => `a:\n${repeated(size, () => '- 1\n')}`,
  emptyItems: size => `a:\n${repeated(size, () => '-\n')}`,
  listsInLists: (size, random) => {
    const depth = 1 + Math.floor(random() * 46);
    return `a:\n${repeated(size, () => `${'- '.repeat(depth)}1\n`)}`;
  },
  repeatedNames: size => repeated(size, () => 'k: 1\n'),
  repeatedNamesInFlow: size => `{${repeated(size, () => 'k: 1,')}}`,
  anchors: size => `a:\n${repeated(size, i => `- &a${i} 1\n`)}`,
  aliases: size => `a: &x 1\nb:\n${repeated(size, () => '- *x\n')}`,
  aliasesOfALot: size => `a: &x [${repeated(size - 600, i => `k${i},`)}]\nb: [${'*x,'.repeat(49)}]\n`,
  aliasesOfAText: size => `a: &x "${'x'.repeat(size - 600)}"\nb: [${'*x,'.repeat(49)}]\n`,
  aliasesOfAliases: () =>
    `a: &a0 [1,2,3,4,5]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &a${i + 1} [${`*a${i},`.repeat(5)}]\n`).join('')}`,
  aliasWithin: () => 'a: &x [1, *x]\n',
  mergeKeys: size => `a: &a {x: 1}\n${repeated(size, i => `k${i}:\n  <<: *a\n`)}`,
  plain: size => `a: ${repeated(size, () => 'word ')}`,
  plainLines: size => `a: ${repeated(size, () => 'word\n  ')}`,
  oneWord: size => `a: ${'x'.repeat(size)}`,
  literal: size => `a: |\n${repeated(size, () => '  word\n')}`,
  literalOfNothing: size => `a: |\n${'\n'.repeat(size)}  x\n`,
  folded: size => `a: >\n${repeated(size, () => '  word\n\n')}`,
  foldedAndIndented: size => `a: >\n${repeated(size, () => '  word\n   more\n')}`,
  comments: size => `a: 1\n${repeated(size, () => '# c\n')}`,
  commentsInList: size => `a:\n${repeated(size, () => '  # c\n  - 1\n')}`,
  hashes: size => `a: ${'#'.repeat(size)}`,
  escapes: size => `a: "${repeated(size, () => '\\u0041')}"`,
  wrongEscapes: size => `a: "${repeated(size, () => '\\q')}"`,
  quotedLines: size => `a: "${repeated(size, () => 'x\n  ')}"`,
  quotedBreaks: size => `a: "${'\n'.repeat(size)}"`,
  quotes: size => `a: '${"''".repeat(size / 2)}'`,
  unclosed: size => `a: "${'x'.repeat(size)}`,
  documents: size => repeated(size, () => '---\na\n'),
  documentEnds: size => repeated(size, () => '...\n'),
  documentStarts: size => repeated(size, () => '---\n'),
  directives: size => `${repeated(size, i => `%TAG !a${i}! tag:x\n`)}---\na: 1\n`,
  percents: size => repeated(size, () => '%\n'),
  tags: size => `a:\n${repeated(size, i => `- !t${i} 1\n`)}`,
  standardTags: size => `a:\n${repeated(size, () => '- !!str 1\n')}`,
  tagsInARow: size => `a: ${repeated(size, () => '!a ')}`,
  hugeNumber: size => `a: ${'9'.repeat(size)}`,
  hugeFloat: size => `a: ${'9'.repeat(size / 2)}.${'9'.repeat(size / 2 - 1)}e`,
  hugeHex: size => `a: 0x${'f'.repeat(size)}`,
  numbersWithLines: size => `a: ${'1_'.repeat(size / 2)}`,
  dates: size => `a:\n${repeated(size, () => '- 2001-01-01\n')}`,
  tabs: size => repeated(size, () => '\ta: 1\n'),
  tabsInALine: size => `a:${'\t'.repeat(size)}`,
  blanks: size => `a:${' '.repeat(size)}1`,
  blankLines: size => `a:\n${repeated(size, () => `${' '.repeat(38)}\n`)}`,
  carriageReturns: size => repeated(size, i => `k${i}: 1\r`),
  windowsLines: size => repeated(size, i => `k${i}: 1\r\n`),
  lines: size => `${'\n'.repeat(size)}a: 1`,
  questions: size => repeated(size, i => `? k${i}\n: 1\n`),
  questionsInARow: size => repeated(size, () => '? '),
  colons: size => repeated(size, () => ': '),
  colonsOnLines: size => repeated(size, () => ':\n'),
  dashesInARow: size => repeated(size, () => '- '),
  deeperAndDeeper: size => deeper(size, 'k:'),
  deeperLists: size => deeper(size, '-'),
  opened: size => `a: ${'['.repeat(size)}`,
  openedMaps: size => `a: ${'{'.repeat(size)}`,
  closed: size => `a: ${']'.repeat(size)}`,
  closedOnLines: size => repeated(size, () => '}\n'),
  ampersands: size => `a: ${repeated(size, () => '&a ')}`,
  stars: size => `a: [${repeated(size, () => '*a,')}]`,
  bangs: size => `a: ${'!'.repeat(size)}`,
  mapsAsNames: size => repeated(size, i => `? {a: ${i}}\n: 1\n`),
  listsAsNames: size => `a: {${repeated(size, i => `[a${i}]: 1,`)}}`,
  aliasesAsNames: size => `x: &x 1\na: {${repeated(size, () => '*x : 1,')}}`,
  longNames: size => repeated(size, i => `${'k'.repeat(1000)}${i}: 1\n`),
  longName: size => `${'k'.repeat(size)}: 1`,
  pairsInALine: size => repeated(size, () => 'a: b: c\n'),
  marks: size => '\uFEFF'.repeat(size / 3),
  emoji: size => `a: ${'😀'.repeat(size / 4)}`,
  unknownTiles: size =>
    `version: 1\ntitle: X\npages:\n  - title: A\n    tiles:\n${repeated(size, i => `      t${i}: { kind: bra, x: 1 }\n`)}`,
  wrongNames: size =>
    `version: 1\ntitle: X\npages:\n  - title: A\n    tiles:\n${repeated(size, i => `      T ${i}: { kind: kpi }\n`)}`,
  unknownKeys: size => `version: 1\ntitle: X\npages: []\n${repeated(size, i => `titel${i}: 1\n`)}`,
};

export const shapeNames: readonly string[] = Object.keys(shapes);

/** A text of one shape, of about `size` characters. */
export const textOfShape = (shape: string, size: number, random: () => number): string =>
  shapes[shape]!(size, random);

/** A text of one shape, of one of the sizes around the bounds; some with something random put into them. */
export function slowDocument(shape: string, random: () => number): string {
  const sizes = [20, 40, 60, 100, 250].map(kilo => kilo * 1000);
  const text = textOfShape(shape, sizes[Math.floor(random() * sizes.length)]!, random);
  if (random() < 0.6) return text;
  const at = Math.floor(random() * text.length);
  const pieces = [
    '"',
    "'",
    '{',
    ']',
    '\n',
    '\t',
    '# ',
    '&x ',
    '*x',
    '- ',
    ': ',
    '|\n',
    '? ',
    '---\n',
    '!!',
    '\r',
  ];
  return text.slice(0, at) + pieces[Math.floor(random() * pieces.length)]! + text.slice(at);
}

function repeated(size: number, piece: (i: number) => string): string {
  const pieces: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const next = piece(i);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
}

function deeper(size: number, sign: string): string {
  const lines: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    lines.push(' '.repeat(i) + sign);
    length += i + 2;
  }
  return lines.join('\n');
}
