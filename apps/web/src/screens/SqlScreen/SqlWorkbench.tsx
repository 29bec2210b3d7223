import { Modal } from '@belvedere/ui';
import { useMemo, useRef, useState, type Ref } from 'react';
import { useSources } from '../../data/server.ts';
import { words } from '../../editor/messages/words.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { useKeys } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';
import { useSchema } from '../../model-editor/model-editing.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ResultPane } from '../../sql/ResultPane.tsx';
import { sampleQueries } from '../../sql/sample-queries.ts';
import { SaveModelDialog } from '../../sql/SaveModelDialog.tsx';
import { SchemaTree } from '../../sql/SchemaTree.tsx';
import { formatSql } from '../../sql/sql-editor.ts';
import { rememberText } from '../../sql/sql-history.ts';
import { useSqlEditor } from '../../sql/use-sql-editor.ts';
import { useSqlRun } from '../../sql/use-sql-run.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { SqlActions } from './SqlActions.tsx';

interface SqlWorkbenchProps {
  readonly source: string;
  /** The model whose SQL is edited, if it has any. */
  readonly model: string | undefined;
  readonly initialText: string;
}

/** The SQL editor of a source: its tables, the text, and the result of the last statement. */
export function SqlWorkbench({ source, model, initialText }: SqlWorkbenchProps) {
  const { data: schema, error: schemaError } = useSchema(source);
  const { label, kind } = useSourceKind(source);
  const runner = useSqlRun(source);
  const [isEmpty, setIsEmpty] = useState(initialText.trim() === '');
  const [openDialog, setOpenDialog] = useState<'model' | 'schema'>();
  const isWide = useIsWide();
  const container = useRef<HTMLDivElement>(null);
  const keyHints = useRef<HTMLParagraphElement>(null);

  const run = () => void runner.run(editor.statement());
  const format = () =>
    void formatSql(editor.text(), kind).then(editor.replace, () => runner.rejectFormat(words.sql.noFormat));
  const editor = useSqlEditor({
    container,
    initialText,
    kind,
    tables: schema?.tables,
    onType: text => {
      if (model === undefined) rememberText(source, text);
      setIsEmpty(text.trim() === '');
    },
    onRun: run,
    onFormat: format,
    onLeave: () => keyHints.current?.focus(),
  });
  useSqlKeys();

  const samples = useMemo(() => sampleQueries(schema?.tables ?? []), [schema]);
  if (schemaError) return <ErrorScreen error={schemaError} />;
  const { result, sql, isRunning } = runner.state;
  const tree = (
    <SchemaTree
      tables={schema?.tables ?? []}
      onName={name => {
        setOpenDialog(undefined);
        editor.insert(name);
      }}
    />
  );
  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={`SQL – ${label}`}>
        <h1 className="truncate text-14 font-semibold max-sm:sr-only">
          {model === undefined ? words.sql.title(label) : words.sql.titleOf(model)}
        </h1>
        <span aria-hidden className="text-14 font-semibold sm:hidden">
          {words.sql.label}
        </span>
        <SqlActions
          source={source}
          isEmpty={isEmpty}
          isRunning={isRunning}
          resultSql={result && sql}
          history={runner.history}
          onRun={run}
          onCancel={runner.cancel}
          onFormat={format}
          onHistory={editor.replace}
          onSaveModel={() => setOpenDialog('model')}
          onTables={isWide ? undefined : () => setOpenDialog('schema')}
        />
      </HeaderTitle>
      {isWide ? (
        <aside
          aria-label={words.sql.tables}
          className={
            'sticky top-12 flex h-[calc(100dvh-var(--spacing)*12)] w-[248px] max-w-[50vw] min-w-[160px] shrink-0 ' +
            'resize-x flex-col overflow-hidden border-e border-border bg-surface'
          }
        >
          {tree}
        </aside>
      ) : null}
      <div className="flex h-[calc(100dvh-var(--spacing)*12)] min-w-0 flex-1 flex-col">
        <SqlText container={container} textHeight={editor.textHeight} keyHints={keyHints} />
        <ResultPane
          run={runner.state}
          samples={samples}
          onSample={sample => {
            editor.replace(sample);
            editor.focus();
            void runner.run(sample);
          }}
        />
      </div>
      {openDialog === 'model' && result ? (
        <SaveModelDialog
          sql={sql}
          source={source}
          columns={result.columns}
          model={model}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
      <Modal
        label={words.sql.tables}
        isOpen={openDialog === 'schema'}
        onOpenChange={isOpen => !isOpen && setOpenDialog(undefined)}
      >
        <div className="flex max-h-[70vh] flex-col overflow-y-auto">{tree}</div>
      </Modal>
    </div>
  );
}

/** A source's label, and its kind, which decides the SQL dialect. */
function useSourceKind(source: string) {
  const { data } = useSources();
  const summary = data?.sources.find(({ name }) => name === source);
  return source === 'files'
    ? { label: t.data.source, kind: 'files' as const }
    : { label: summary?.label ?? source, kind: summary?.kind ?? ('files' as const) };
}

/** Lists the shortcuts of the SQL editor, which handles them itself. */
function useSqlKeys(): void {
  useKeys(
    words.keys.sql,
    useMemo(
      () => [
        { press: '$mod+Enter', label: words.keys.run },
        { press: '$mod+Shift+f', label: words.keys.format },
        { press: '$mod+/', label: words.keys.comment },
        { press: 'Escape', label: words.keys.leave },
      ],
      [],
    ),
  );
}

/** Room for one more line, so that the editor is not pushed while a line is typed. */
const spareHeightPx = 24;

interface SqlTextProps {
  /** The element that holds the editor. */
  readonly container: Ref<HTMLDivElement>;
  readonly textHeight: number;
  /** Takes the focus when the user leaves the editor with Escape. */
  readonly keyHints: Ref<HTMLParagraphElement>;
}

/** The editor and its shortcuts. It grows with its text until the user resizes it. */
function SqlText({ container, textHeight, keyHints }: SqlTextProps) {
  return (
    <>
      <div
        ref={container}
        className="max-h-[60%] min-h-32 shrink-0 resize-y overflow-hidden border-b border-border bg-surface"
        style={{ height: textHeight + spareHeightPx }}
        data-testid="sql-editor"
      />
      <p
        ref={keyHints}
        tabIndex={-1}
        className="shrink-0 border-b border-border bg-surface px-3 py-1 text-11 text-text-3"
      >
        {words.sql.keys}
      </p>
    </>
  );
}
