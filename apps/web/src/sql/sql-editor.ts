import type { SourceSummary } from '@belvedere/api';
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from '@codemirror/commands';
import {
  MySQL,
  PostgreSQL,
  sql,
  StandardSQL,
  type SQLDialect,
  type SQLNamespace,
} from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { textTheme } from '../editor/text-view/text-theme.ts';
import type { SchemaTable } from '../model-editor/model-editing.ts';

export type SqlKind = SourceSummary['kind'] | 'files';

export interface SqlEditorOptions {
  readonly root: ShadowRoot;
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly onType: (text: string) => void;
  /** @param height the text's height in pixels */
  readonly onHeight: (height: number) => void;
  readonly onRun: () => void;
  readonly onFormat: () => void;
  readonly onLeave: () => void;
}

/** DuckDB's words are PostgreSQL's, near enough to be completed and coloured as those. */
const dialects: Readonly<Record<SqlKind, SQLDialect>> = {
  files: PostgreSQL,
  duckdb: PostgreSQL,
  sqlite: PostgreSQL,
  postgres: PostgreSQL,
  mysql: MySQL,
  clickhouse: StandardSQL,
};

/** Which SQL is written, and what there is to be named, may change while it is. */
const language = new Compartment();

export function createSqlEditor({
  root,
  parent,
  text,
  label,
  onType,
  onHeight,
  onRun,
  onFormat,
  onLeave,
}: SqlEditorOptions): EditorView {
  return new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        search({ top: true }),
        history(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        autocompletion(),
        textTheme,
        language.of([]),
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run: () => (onRun(), true) },
            { key: 'Shift-Mod-f', run: () => (onFormat(), true) },
            { key: 'Mod-/', run: toggleComment },
          ]),
        ),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
          // Escape, then Tab, leaves: a field that keeps Tab must have a way out (WCAG 2.1.2).
          { key: 'Escape', run: () => (onLeave(), true) },
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) onType(update.state.doc.toString());
          if (update.docChanged || update.heightChanged) onHeight(update.view.contentHeight);
        }),
      ],
    }),
  });
}

/** Takes over what there is to be named. */
export function setSchema(view: EditorView, kind: SqlKind, tables: readonly SchemaTable[]): void {
  const schema: SQLNamespace = Object.fromEntries(
    tables.map(table => [
      table.name,
      table.columns.map(column => ({ label: column.name, detail: column.type, type: 'property' })),
    ]),
  );
  view.dispatch({
    effects: language.reconfigure(sql({ dialect: dialects[kind], schema, upperCaseKeywords: false })),
  });
}

/** What is to be run: what is selected, or all of it. */
export function statementIn(view: EditorView): string {
  const { main } = view.state.selection;
  return main.empty ? view.state.doc.toString() : view.state.sliceDoc(main.from, main.to);
}

export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** A name as SQL has it: in quotes where it is not plain. */
export function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A name put where the cursor is, as if it had been typed. */
export function insertName(view: EditorView, name: string): void {
  view.dispatch(view.state.replaceSelection(quoted(name)));
  view.focus();
}

const formatterOf = {
  files: 'duckdb',
  duckdb: 'duckdb',
  sqlite: 'duckdb',
  postgres: 'postgresql',
  mysql: 'mysql',
  clickhouse: 'clickhouse',
} as const;

/**
 * The same statement with its lines in order. What formats it is fetched when it is first wanted.
 * @throws where it cannot be read
 */
export async function formatSql(text: string, kind: SqlKind): Promise<string> {
  const { format } = await import('sql-formatter');
  return format(text, { language: formatterOf[kind], keywordCase: 'preserve', tabWidth: 2 });
}
