import { isMap, isScalar, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml';
import type { z } from 'zod';
import { closestName } from './closest-name.ts';
import { nameFrom, nameRule } from './names.ts';
import { DashboardFile } from './dashboard.ts';
import { ModelFile } from './model-file.ts';
import { keysAt } from './schema-keys.ts';
import { PolicyTestFile } from './policy-test-file.ts';
import { SourceFile } from './source-file.ts';
import { TableFile } from './table-file.ts';
import { TranslationFile } from './translation-file.ts';
import { WorkspaceFile } from './workspace-file.ts';

/** What each kind of document has to be. */
export const schemas = { dashboard: DashboardFile, model: ModelFile, source: SourceFile, table: TableFile, test: PolicyTestFile, translation: TranslationFile, workspace: WorkspaceFile };
export type DocumentKind = keyof typeof schemas;
export type DocumentOf<K extends DocumentKind> = z.infer<(typeof schemas)[K]>;

/** What is wrong with a document, and where. Lines and columns count from 1. */
export interface DocumentProblem {
  readonly code: `document.${string}`;
  readonly file: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion?: string;
}

export type ReadDocument<T> =
  | { readonly ok: true; readonly value: T; readonly locate: Locate }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[]; readonly locate: Locate };

/** Where in the text a path stands, for problems found later, against the model. */
export type Locate = (path: readonly PropertyKey[]) => { readonly line: number; readonly column: number };

export const documentLimits = { bytes: 256 * 1024, depth: 48, aliases: 50 } as const;

/**
 * The only way in: text → parsed → checked → typed value, or every error with its line.
 * YAML 1.2, core schema, no custom tags, no duplicate keys; size, depth and aliases are bounded before parsing costs anything.
 */
export function readDocument<K extends DocumentKind>(kind: K, text: string, file: string): ReadDocument<DocumentOf<K>> {
  const lines = new LineCounter();
  const nowhere: Locate = () => ({ line: 1, column: 1 });
  const bounds = outOfBounds(text);
  if (bounds) return { ok: false, problems: [{ code: 'document.too-large', file, path: '', line: 1, column: 1, message: bounds }], locate: nowhere };

  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, customTags: [], lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const locate: Locate = path => positionOf(document, path, lines);
  const broken = [...document.errors, ...document.warnings.filter(warning => warning.code === 'TAG_RESOLVE_FAILED')];
  if (broken.length > 0) {
    const problems = broken.map(error => {
      const { line, col } = lines.linePos(error.pos[0]);
      return { code: 'document.not-yaml', file, path: '', line, column: col, message: plainYamlError(error.message) } as const;
    });
    return { ok: false, problems: saidOnce(problems), locate };
  }

  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: documentLimits.aliases });
  } catch (cause) {
    const message = `This file refers to itself too often: ${(cause as Error).message}`;
    return { ok: false, problems: [{ code: 'document.too-large', file, path: '', line: 1, column: 1, message }], locate };
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content)) {
    const message = content === null ? 'This file is empty.' : 'This file should be a list of `name: value` lines.';
    return { ok: false, problems: [{ code: 'document.invalid', file, path: '', line: 1, column: 1, message }], locate };
  }
  const version = (content as { version?: unknown }).version;
  if (typeof version === 'number' && version > 1) {
    const message = `This file is of version ${version}; this Belvedere reads version 1. Update Belvedere to open it.`;
    return { ok: false, problems: [{ code: 'document.newer-version', file, path: 'version', ...locate(['version']), message }], locate };
  }

  const checked = schemas[kind].safeParse(content);
  if (checked.success) return { ok: true, value: inOrderOf(content, checked.data) as DocumentOf<K>, locate };
  const found = checked.error.issues.flatMap(issue => problemsOf(issue, schemas[kind], content, file, locate));
  // A name that is missing because it is misspelt is one error, not two.
  const problems = found.filter(problem => !(problem.message.endsWith(' is missing.') && found.some(other => other.suggestion !== undefined && [...other.path.split('.').slice(0, -1), other.suggestion].join('.') === problem.path)));
  return { ok: false, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column), locate };
}

/** The parser may trip over the same place more than once. */
function saidOnce(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const said = (problem: DocumentProblem) => `${problem.line}:${problem.column}:${problem.message}`;
  return [...new Map(problems.map(problem => [said(problem), problem])).values()];
}

/** The checked value with its keys as its maker has them, not as the schema does: what is edited goes back into the text in that order. */
function inOrderOf(content: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return Array.isArray(content) ? value.map((item, i) => inOrderOf(content[i], item)) : value;
  if (value === null || typeof value !== 'object' || content === null || typeof content !== 'object' || Array.isArray(content)) return value;
  const map = value as Readonly<Record<string, unknown>>;
  const keys = [...new Set([...Object.keys(content).filter(key => Object.hasOwn(map, key)), ...Object.keys(map)])];
  return Object.fromEntries(keys.map(key => [key, inOrderOf((content as Readonly<Record<string, unknown>>)[key], map[key])]));
}

function outOfBounds(text: string): string | undefined {
  if (byteLength(text) > documentLimits.bytes) return `This file is larger than ${documentLimits.bytes / 1024} KiB.`;
  if (text.includes('\0')) return 'This file is not text: it holds a NUL character.';
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  const dashes = /^(?: *- ){49}|^ {400}/m.test(text);
  return deepest > documentLimits.depth || dashes ? `This file is nested more than ${documentLimits.depth} levels deep.` : undefined;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The parser's sentences, in words for people who never heard of flow maps. */
function plainYamlError(message: string): string {
  if (message.includes('Map keys must be unique')) return 'This name stands twice in the same list; keep one.';
  if (message.includes('Tabs are not allowed')) return 'A line is indented with a tab; use spaces.';
  return `This line is not valid YAML: ${message}`;
}

function positionOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): { line: number; column: number } {
  for (let depth = path.length; depth >= 0; depth--) {
    const key = keyNode(document, path.slice(0, depth) as (string | number)[]);
    if (key?.range) {
      const { line, col } = lines.linePos(key.range[0]);
      return { line, column: col };
    }
  }
  return { line: 1, column: 1 };
}

/** The node of the path's last key where it has one (so that an error points at the name, not the value behind it). */
function keyNode(document: Document, path: (string | number)[]): Node | undefined {
  if (path.length === 0) return undefined;
  const parent = path.length === 1 ? document.contents : (document.getIn(path.slice(0, -1), true) as Node | undefined);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((item: Pair) => isScalar(item.key) && item.key.value === last);
    return pair ? (pair.key as Node) : undefined;
  }
  const node = document.getIn(path, true);
  return node ? (node as Node) : undefined;
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, content: unknown, file: string, locate: Locate): DocumentProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path, content);
    return issue.keys.map(key => {
      const suggestion = closestName(key, allowed);
      const message = `\`${key}\` means nothing here${suggestion ? `; did you mean \`${suggestion}\`?` : ` (allowed: ${allowed.slice(0, 12).join(', ')}).`}`;
      return problem([...issue.path, key], message, suggestion);
    });
  }
  if (issue.code === 'invalid_key') {
    const key = String(issue.path.at(-1));
    const rule = issue.issues[0]?.message ?? 'it does not fit';
    const suggestion = rule === nameRule ? nameFrom(key) : undefined;
    return [problem(issue.path, `\`${key}\` can be no name here: ${rule}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`, suggestion)];
  }
  // A union reports every branch; the branch that got furthest says what was meant.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0) || a.length - b.length)[0]!;
    return nearest.flatMap(inner => problemsOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, schema, content, file, locate));
  }
  const found = valueAt(content, issue.path);
  if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const allowed = issue.values.map(String);
    const suggestion = typeof found === 'string' ? closestName(found, allowed) : undefined;
    const message = `\`${String(found)}\` is not one of ${allowed.join(', ')}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`;
    return [problem(issue.path, message, suggestion)];
  }
  // A kind that there is not.
  if (issue.code === 'invalid_union' && 'options' in issue && found !== undefined) {
    const allowed = (issue.options as readonly unknown[]).map(String);
    const suggestion = typeof found === 'string' ? closestName(found, allowed) : undefined;
    return [problem(issue.path, `\`${String(found)}\` is not one of ${allowed.join(', ')}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`, suggestion)];
  }
  if (found === undefined) return [problem(issue.path, `\`${String(issue.path.at(-1) ?? 'This')}\` is missing.`)];
  return [problem(issue.path, `${shown(found)} does not fit: ${issue.message.replace(/^Invalid input: /, '')}.`)];

  function problem(path: readonly PropertyKey[], message: string, suggestion?: string): DocumentProblem {
    return { code: 'document.invalid', file, path: path.map(String).join('.'), ...locate(path), message, ...(suggestion && { suggestion }) };
  }
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], content);
}

function shown(value: unknown): string {
  return `\`${(JSON.stringify(value) ?? 'nothing').slice(0, 60)}\``;
}
