import { isCollection, isMap, isNode, isScalar, type LineCounter, type Node } from 'yaml';
import type { z } from 'zod';
import { closestName } from './completion/closest-name.ts';
import { AccessFile } from './schema/access-file.ts';
import { AlertFile } from './schema/alert-file.ts';
import { nameFrom, nameRule } from './schema/names.ts';
import { DashboardFile } from './schema/dashboard.ts';
import { ModelFile } from './schema/model-file.ts';
import { documentLimits, parseYaml } from './parse-yaml.ts';
import { formWith, keysAt } from './schema/schema-keys.ts';
import { PolicyTestFile } from './policy-test-file.ts';
import { ReportFile } from './schema/report-file.ts';
import { SourceFile } from './schema/source-file.ts';
import { TableFile } from './schema/table-file.ts';
import { TranslationFile } from './schema/translation-file.ts';
import { WorkspaceFile } from './schema/workspace-file.ts';

/** The schema of each kind of document. */
export const schemas = {
  access: AccessFile,
  alert: AlertFile,
  dashboard: DashboardFile,
  model: ModelFile,
  report: ReportFile,
  source: SourceFile,
  table: TableFile,
  test: PolicyTestFile,
  translation: TranslationFile,
  workspace: WorkspaceFile,
};
export type DocumentKind = keyof typeof schemas;
export type DocumentOf<K extends DocumentKind> = z.infer<(typeof schemas)[K]>;

/** An error in a document, with its position. Lines and columns count from 1. */
export interface DocumentProblem {
  readonly code: `document.${string}`;
  readonly file: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion?: string;
}

/** The result of reading a text as plain data, which can be sent between threads. */
export type DocumentContent<T> = { readonly positions: Places } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] }
);

/**
 * The position of a value in a text (of its key, if it has one), and those of the values in it, by key or
 * index. Counted from 1.
 */
export interface Places {
  readonly line: number;
  readonly column: number;
  readonly in?: ReadonlyMap<string, Places>;
}

export type ReadDocument<T> =
  | { readonly ok: true; readonly value: T; readonly locate: Locate }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[]; readonly locate: Locate };

/** Finds the position of a path in the text, for problems found later, against the model. */
export type Locate = (path: readonly PropertyKey[]) => { readonly line: number; readonly column: number };

/** The maximum number of errors reported for one text, and for one list of names in it. */
const maxProblems = 100;
/** As many names as an error lists: a tile's kind has up to some thirty of its own. */
const maxNamed = 40;
const start: Places = { line: 1, column: 1 };

/**
 * The only way to read a document: parses and validates the text to a typed value, or returns every error
 * with its line. YAML 1.2, core schema, no custom tags, no duplicate keys. Size, depth and aliases are
 * checked before the costly parsing.
 */
export function readDocument<K extends DocumentKind>(
  kind: K,
  text: string,
  file: string,
): ReadDocument<DocumentOf<K>> {
  return locatable(readContent(kind, text, file));
}

/** Adds the function that finds positions to a document, which another thread may have read. */
export function locatable<T>({ positions, ...content }: DocumentContent<T>): ReadDocument<T> {
  return { ...content, locate: path => positionAt(positions, path) };
}

/** `readDocument` as plain data. */
export function readContent<K extends DocumentKind>(
  kind: K,
  text: string,
  file: string,
): DocumentContent<DocumentOf<K>> {
  const { document, lines, isOutOfBounds } = parseYaml(text);
  const broken = [
    ...document.errors,
    ...document.warnings.filter(warning => warning.code === 'TAG_RESOLVE_FAILED'),
  ];
  if (broken.length > 0) {
    const problems = broken.slice(0, maxProblems).map(error => {
      const { line, col } = lines.linePos(error.pos[0]);
      const said = isOutOfBounds
        ? ({ code: 'document.too-large', message: error.message } as const)
        : ({ code: 'document.not-yaml', message: plainYamlError(error.message) } as const);
      return { ...said, file, path: '', line, column: col };
    });
    return { ok: false, problems: saidOnce(problems), positions: start };
  }

  const positions = positionsOf(document.contents, lines, start);
  const refused = (code: DocumentProblem['code'], message: string, path = ''): DocumentContent<never> => {
    const { line, column } = positionAt(positions, path === '' ? [] : [path]);
    return { ok: false, problems: [{ code, file, path, line, column, message }], positions };
  };
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: documentLimits.aliases });
  } catch (cause) {
    return refused('document.too-large', `Too many aliases: ${(cause as Error).message}`);
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    return refused(
      'document.invalid',
      content === null ? 'This file is empty.' : 'This file must be a map of `name: value` lines.',
    );
  const version = (content as { version?: unknown }).version;
  if (typeof version === 'number' && version > 1)
    return refused(
      'document.newer-version',
      `This file has version ${version}, and this Belvedere supports version 1. Update Belvedere to open it.`,
      'version',
    );

  const checked = schemas[kind].safeParse(content);
  if (checked.success)
    return { ok: true, value: inOrderOf(content, checked.data) as DocumentOf<K>, positions };
  const locate: Locate = path => positionAt(positions, path);
  const found = checked.error.issues
    .slice(0, maxProblems)
    .flatMap(issue => problemsOf(issue, schemas[kind], content, file, locate))
    .slice(0, maxProblems);
  // A key that is missing because it is misspelt is one error, not two.
  const problems = found.filter(
    problem =>
      !(
        problem.message.endsWith(' is missing.') &&
        found.some(
          other =>
            other.suggestion !== undefined &&
            [...other.path.split('.').slice(0, -1), other.suggestion].join('.') === problem.path,
        )
      ),
  );
  return {
    ok: false,
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    positions,
  };
}

/** Drops duplicates: the parser may report the same position more than once. */
function saidOnce(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const said = (problem: DocumentProblem) => `${problem.line}:${problem.column}:${problem.message}`;
  return [...new Map(problems.map(problem => [said(problem), problem])).values()];
}

/**
 * Restores the file's order of keys, which validation changes. Edits write the value back to the text in that
 * order.
 */
function inOrderOf(content: unknown, value: unknown): unknown {
  if (Array.isArray(value))
    return Array.isArray(content) ? value.map((item, i) => inOrderOf(content[i], item)) : value;
  if (
    value === null ||
    typeof value !== 'object' ||
    content === null ||
    typeof content !== 'object' ||
    Array.isArray(content)
  )
    return value;
  const map = value as Readonly<Record<string, unknown>>;
  const keys = [
    ...new Set([...Object.keys(content).filter(key => Object.hasOwn(map, key)), ...Object.keys(map)]),
  ];
  return Object.fromEntries(
    keys.map(key => [key, inOrderOf((content as Readonly<Record<string, unknown>>)[key], map[key])]),
  );
}

/** Translates the parser's messages for users who do not know YAML's terms. */
function plainYamlError(message: string): string {
  if (message.includes('Map keys must be unique')) return 'Duplicate key. Keep one of the two.';
  if (message.includes('Tabs are not allowed')) return 'This line is indented with a tab. Use spaces.';
  return `Invalid YAML: ${message}`;
}

function positionsOf(node: unknown, lines: LineCounter, position: Places): Places {
  if (!isCollection(node)) return position;
  const inside = new Map<string, Places>();
  node.items.forEach((item, i) => {
    const [key, value] = isMap(node)
      ? [(item as { key: Node }).key, (item as { value: unknown }).value]
      : [undefined, item];
    if (key !== undefined && !isScalar(key)) return;
    const offset = (key ?? (isNode(value) ? value : undefined))?.range?.[0];
    const { line, col } =
      offset === undefined ? { line: position.line, col: position.column } : lines.linePos(offset);
    inside.set(
      key === undefined ? String(i) : String(key.value ?? ''),
      positionsOf(value, lines, { line, column: col }),
    );
  });
  return { ...position, in: inside };
}

/** The position of a path, or of its longest prefix in the text. */
function positionAt(
  positions: Places,
  path: readonly PropertyKey[],
): { readonly line: number; readonly column: number } {
  let found = positions;
  for (const step of path) {
    const inside = found.in?.get(String(step));
    if (!inside) break;
    found = inside;
  }
  return { line: found.line, column: found.column };
}

/** Names of a list, of which a long one is cut. */
const named = (names: readonly string[]) =>
  names.length > maxNamed ? `${names.slice(0, maxNamed).join(', ')} …` : names.join(', ');

/** Says in which form of its object a key would be possible: without another key, or with one that is missing. */
function otherFormMessage(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  key: string,
  content: unknown,
): string {
  const form = formWith(schema, path, key, content);
  const [conflict] = form?.conflicting ?? [];
  if (conflict !== undefined)
    return `\`${cut(key)}\` is not possible together with \`${cut(conflict)}\`. Remove one of the two.`;
  if (!form) return `\`${cut(key)}\` is not possible together with the properties beside it. Remove it.`;
  const name = [...path.slice(form.depth), key].join('.');
  const parent = path[form.depth - 1];
  const needed = form.missing.map(one => `\`${one}\``).join(' and ');
  const place = parent === undefined ? '' : ` in \`${String(parent)}\``;
  const way = `Add ${needed}, or remove \`${cut(key)}\`.`;
  return `\`${cut(name)}\`${place} is only possible with ${needed}. ${way}`;
}

function problemsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  content: unknown,
  file: string,
  locate: Locate,
): DocumentProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path, content);
    const used = Object.keys((valueAt(content, issue.path) ?? {}) as object);
    const unused = allowed.filter(name => !used.includes(name));
    return issue.keys.slice(0, maxProblems).map(key => {
      // Known by another branch of a union.
      if (allowed.includes(key)) {
        return problem([...issue.path, key], otherFormMessage(schema, issue.path, key, content));
      }
      const suggestion = closestName(key, allowed);
      const hint = suggestion ? `; did you mean \`${suggestion}\`?` : ` (allowed: ${named(unused)}).`;
      const message = `Unknown property \`${cut(key)}\`${hint}`;
      return problem([...issue.path, key], message, suggestion);
    });
  }
  if (issue.code === 'invalid_key') {
    const key = String(issue.path.at(-1));
    const rule = issue.issues[0]?.message ?? 'it is not valid';
    const suggestion = rule === nameRule ? nameFrom(key) : undefined;
    return [
      problem(
        issue.path,
        `Invalid name \`${cut(key)}\`: ${rule}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`,
        suggestion,
      ),
    ];
  }
  // A union reports the errors of every branch. The branch that matched furthest is the intended one.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted(
      (a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0) || a.length - b.length,
    )[0]!;
    return nearest.flatMap(inner =>
      problemsOf(
        { ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue,
        schema,
        content,
        file,
        locate,
      ),
    );
  }
  const found = valueAt(content, issue.path);
  if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const allowed = issue.values.map(String);
    if (found === undefined) return [missing(` (one of ${named(allowed)})`)];
    const suggestion = typeof found === 'string' ? closestName(found, allowed) : undefined;
    const message = `\`${cut(String(found))}\` is not one of ${allowed.join(', ')}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`;
    return [problem(issue.path, message, suggestion)];
  }
  // An unknown kind.
  if (issue.code === 'invalid_union' && 'options' in issue && found !== undefined) {
    const allowed = (issue.options as readonly unknown[]).map(String);
    const suggestion = typeof found === 'string' ? closestName(found, allowed) : undefined;
    return [
      problem(
        issue.path,
        `\`${cut(String(found))}\` is not one of ${allowed.join(', ')}${suggestion ? `; did you mean \`${suggestion}\`?` : '.'}`,
        suggestion,
      ),
    ];
  }
  if (found === undefined) return [missing('')];
  return [
    problem(issue.path, `Invalid value ${shown(found)}: ${issue.message.replace(/^Invalid input: /, '')}.`),
  ];

  function missing(allowed: string): DocumentProblem {
    return problem(issue.path, `\`${String(issue.path.at(-1) ?? 'This')}\`${allowed} is missing.`);
  }

  function problem(path: readonly PropertyKey[], message: string, suggestion?: string): DocumentProblem {
    return {
      code: 'document.invalid',
      file,
      path: path.map(String).join('.'),
      ...locate(path),
      message,
      ...(suggestion && { suggestion }),
    };
  }
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    content,
  );
}

function shown(value: unknown): string {
  return `\`${cut(JSON.stringify(value) ?? 'nothing')}\``;
}

/** Shortens a text for a message, because it may be as long as the file. */
function cut(text: string): string {
  return text.slice(0, 60);
}
