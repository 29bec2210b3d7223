import {
  Composer,
  CST,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  YAMLParseError,
  type YAMLError,
  type Document,
  type DocumentOptions,
  type Node,
  type ParsedNode,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';

/**
 * Limits of a document's text, checked before the parser builds anything. A text within them parses in less
 * than 200 ms: the parser's time is linear in `signs` (words, punctuation, line ends). The other limits bound
 * its nonlinear parts.
 */
export const documentLimits = {
  bytes: 256 * 1024,
  lines: 20_000,
  signs: 40_000,
  names: 8_000,
  flows: 4_000,
  depth: 48,
  anchors: 100,
  aliases: 50,
  /** Keys and values with every alias expanded; 16 characters of a text count as one. */
  values: 50_000,
} as const;

/**
 * YAML 1.2, core schema, no custom tags. `repeatedNames` finds duplicate keys, because the parser's own check
 * is quadratic.
 */
const dialect: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.2',
  schema: 'core',
  customTags: [],
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
};

export interface ParsedYaml {
  /** Its `errors` contain all errors of the text. A document out of bounds has no contents. */
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly isOutOfBounds: boolean;
}

/**
 * Parses a document's text, after checking it against `documentLimits`. All code that reads YAML calls this
 * function.
 * @param reading `isLoose` for a text that is being typed: ignores duplicate keys and some syntax errors
 */
export function parseYaml(
  text: string,
  { isLoose = false }: { readonly isLoose?: boolean } = {},
): ParsedYaml {
  const lines = linesOf(text);
  const { tokens, excess } = readTokens(text, lines.lineStarts.length);
  if (excess)
    return {
      document: emptyWith([error(excess.offset, 'RESOURCE_EXHAUSTION', excess.message)]),
      lines,
      isOutOfBounds: true,
    };

  const [document, another] = compose(tokens, text.length, !isLoose);
  const expanded = excessOfAliases(document, !isLoose);
  if (expanded)
    return {
      document: emptyWith([error(expanded.offset, 'RESOURCE_EXHAUSTION', expanded.message)]),
      lines,
      isOutOfBounds: true,
    };
  if (!isLoose) {
    // Report syntax errors first. Duplicate keys in the damaged result would report the same error twice.
    if (document.errors.length === 0) document.errors.push(...repeatedNames(document));
    if (another)
      document.errors.push(
        error(
          another.range[0],
          'MULTIPLE_DOCS',
          'a second document begins here, but a file can have only one',
        ),
      );
  }
  return { document, lines, isOutOfBounds: false };
}

/** Tokens of the lexer that are not part of the text itself. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

interface Excess {
  readonly message: string;
  readonly offset: number;
}

/**
 * Returns the tokens of `text`, or the first limit it exceeds. The lexer alone checks all limits except the
 * depth.
 */
function readTokens(
  text: string,
  lines: number,
): { readonly tokens: readonly CST.Token[]; readonly excess?: Excess } {
  const early = excessOfText(text, lines);
  if (early) return { tokens: [], excess: early };
  const signs: string[] = [];
  const counts = { names: 0, flows: 0, anchors: 0, aliases: 0 };
  let offset = 0;
  for (const sign of new Lexer().lex(text)) {
    const isScalar = signs.at(-1) === CST.SCALAR;
    signs.push(sign);
    if (!isScalar) {
      if (sign === ':') counts.names++;
      else if (sign === '{' || sign === '[') counts.flows++;
      else if (sign.startsWith('&')) counts.anchors++;
      else if (sign.startsWith('*')) counts.aliases++;
    }
    const message = excessOf(signs.length, counts);
    if (message !== undefined) return { tokens: [], excess: { message, offset } };
    if (!marks.has(sign)) offset += sign.length;
  }
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let errors = 0;
  for (const sign of signs) {
    for (const token of parser.next(sign)) {
      tokens.push(token);
      if (token.type === 'error' && ++errors >= maxErrors) return { tokens };
    }
    if (parser.stack.length - 1 > documentLimits.depth)
      return {
        tokens: [],
        excess: {
          message: `This file nests values more than ${documentLimits.depth} levels deep.`,
          offset: parser.offset,
        },
      };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

function excessOfText(text: string, lines: number): Excess | undefined {
  if (new TextEncoder().encode(text).length > documentLimits.bytes)
    return { message: `This file is larger than ${documentLimits.bytes / 1024} KiB.`, offset: 0 };
  const nul = text.indexOf('\0');
  if (nul >= 0) return { message: 'This file is not text: it contains a NUL character.', offset: nul };
  return lines > documentLimits.lines
    ? {
        message: `This file has more than ${said(documentLimits.lines)} lines. Split it into several files.`,
        offset: 0,
      }
    : undefined;
}

/** The beginnings of lines; stops when there are too many. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (
    let at = text.indexOf('\n');
    at >= 0 && lines.lineStarts.length <= documentLimits.lines;
    at = text.indexOf('\n', at + 1)
  )
    lines.addNewLine(at + 1);
  return lines;
}

function excessOf(
  signs: number,
  { names, flows, anchors, aliases }: Readonly<Record<'names' | 'flows' | 'anchors' | 'aliases', number>>,
): string | undefined {
  if (names > documentLimits.names)
    return `This file has more than ${said(documentLimits.names)} names. Split it into several files.`;
  if (flows > documentLimits.flows)
    return `This file has more than ${said(documentLimits.flows)} lists and maps in brackets. Split it into several files.`;
  if (anchors > documentLimits.anchors)
    return `This file has more than ${documentLimits.anchors} anchors (\`&name\`). Write the values where they are used.`;
  if (aliases > documentLimits.aliases)
    return `This file has more than ${documentLimits.aliases} aliases (\`*name\`). Write the values where they are used.`;
  if (signs > documentLimits.signs)
    return `This file has more than ${said(documentLimits.signs)} tokens. Split it into several files.`;
  return undefined;
}

/**
 * Composes the document of `tokens`, and the document after it, if any. With more than 100 errors it returns
 * only these, because every error costs the parser as much as many values.
 */
function compose(
  tokens: readonly CST.Token[],
  length: number,
  isStrict: boolean,
): readonly [Document.Parsed, Document.Parsed?] {
  const composer = new Composer<ParsedNode, true>({ ...dialect, strict: isStrict });
  const reports: Reports = composer as unknown as Reports;
  const report = reports.onError;
  let reported = 0;
  reports.onError = (...problem) => {
    if (++reported > maxErrors) throw tooManyErrors;
    report(...problem);
  };
  try {
    const documents = composer.compose(tokens, true, length) as Iterator<Document.Parsed>;
    return [documents.next().value as Document.Parsed, documents.next().value as Document.Parsed | undefined];
  } catch (thrown) {
    if (thrown !== tooManyErrors) throw thrown;
    return [
      emptyWith(
        [...reports.errors, ...reports.warnings].map(
          ({ pos, code, message }) => new YAMLParseError(pos, code, message),
        ),
      ),
    ];
  }
}

/** Private members of the composer, which has no other way to stop early. */
interface Reports {
  onError: (...problem: readonly unknown[]) => void;
  readonly errors: readonly YAMLError[];
  readonly warnings: readonly YAMLError[];
}

const maxErrors = 100;
const tooManyErrors = new RangeError('too many errors');

/**
 * Limits the size of a document with all aliases expanded. An alias is cheap to parse, but as costly to read
 * as its anchor's value.
 */
function excessOfAliases(document: Document.Parsed, isStrict: boolean): Excess | undefined {
  const sizes = new Map<string, number>();
  let excess: Excess | undefined;
  const total = sizeOf(document.contents);
  if (!excess && total > documentLimits.values) excess = tooMuch(0);
  return excess;

  function sizeOf(node: unknown): number {
    if (excess) return 0;
    if (isAlias(node)) {
      const size = sizes.get(node.source);
      if (size === Infinity)
        excess = {
          message: `Circular alias: \`*${node.source}\` is used inside \`&${node.source}\`.`,
          offset: node.range![0],
        };
      if (size === undefined && isStrict)
        document.errors.push(
          error(
            node.range![0],
            'BAD_ALIAS',
            `Unknown alias \`*${node.source}\`: there is no \`&${node.source}\` before it`,
          ),
        );
      return size ?? 1;
    }
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (!isCollection(node)) {
      const size = 1 + (isScalar(node) && typeof node.value === 'string' ? node.value.length / 16 : 0);
      if (isScalar(node) && node.anchor !== undefined) sizes.set(node.anchor, size);
      return size;
    }
    // An anchor is infinite until its end, because an alias inside it would never end.
    if (node.anchor !== undefined) sizes.set(node.anchor, Infinity);
    let size = 1;
    for (const item of node.items) size += sizeOf(item);
    if (size > documentLimits.values) excess ??= tooMuch(node.range?.[0] ?? 0);
    if (node.anchor !== undefined) sizes.set(node.anchor, size);
    return size;
  }

  function tooMuch(offset: number): Excess {
    return {
      message: `This file has more than ${said(documentLimits.values)} values, with its aliases (\`*name\`) expanded.`,
      offset,
    };
  }
}

/**
 * Reports duplicate keys of a map, compared as text: `1` and `"1"` are the same. Also reports keys that are
 * lists, maps or aliases.
 */
function repeatedNames(document: Document.Parsed): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(document, {
    Map(_, map) {
      const names = new Set<string>();
      for (const { key } of map.items) {
        const offset = (key as Node).range?.[0] ?? 0;
        if (!isScalar(key)) {
          errors.push(error(offset, 'NON_STRING_KEY', 'a key must be plain text'));
          continue;
        }
        const name = String(key.value ?? '');
        if (names.has(name)) errors.push(error(offset, 'DUPLICATE_KEY', 'Map keys must be unique'));
        names.add(name);
      }
    },
  });
  return errors;
}

function emptyWith(errors: YAMLParseError[]): Document.Parsed {
  const [document] = [...new Composer<ParsedNode, true>(dialect).end(true, 0)] as [Document.Parsed];
  document.errors = errors;
  return document;
}

function error(offset: number, code: YAMLParseError['code'], message: string): YAMLParseError {
  return new YAMLParseError([offset, offset], code, message);
}

function said(count: number): string {
  return count.toLocaleString('en');
}
