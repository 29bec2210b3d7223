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
  /** @param height of the text, in pixels */
  readonly onHeight: (height: number) => void;
  readonly onRun: () => void;
  readonly onFormat: () => void;
  readonly onLeave: () => void;
}

/** DuckDB's keywords are close enough to PostgreSQL's for completion and highlighting. */
const dialects: Readonly<Record<SqlKind, SQLDialect>> = {
  files: PostgreSQL,
  duckdb: PostgreSQL,
  sqlite: PostgreSQL,
  postgres: PostgreSQL,
  mysql: MySQL,
  clickhouse: StandardSQL,
};

/** The dialect and the schema can change while the editor is open. */
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
          // Tab indents, so Escape must let the focus leave the editor (WCAG 2.1.2).
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

/** Sets the tables and columns that completion offers. */
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

/** Returns the selected text, or all text if none is selected. */
export function statementIn(view: EditorView): string {
  const { main } = view.state.selection;
  return main.empty ? view.state.doc.toString() : view.state.sliceDoc(main.from, main.to);
}

export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Quotes an SQL name where it needs quotes. */
export function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Inserts a name at the cursor, in place of the selection. */
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
 * Formats a statement. The formatter loads on first use.
 * @throws if the statement cannot be parsed
 */
export async function formatSql(text: string, kind: SqlKind): Promise<string> {
  const { format } = await import('sql-formatter');
  return format(text, { language: formatterOf[kind], keywordCase: 'preserve', tabWidth: 2 });
}
