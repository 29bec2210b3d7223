import { formatNumber } from '@belvedere/chart';
import { readDocument, type ModelFile } from '@belvedere/document';
import { Button, IconButton, Menu, Modal, Tabs } from '@belvedere/ui';
import type { EditorView } from '@codemirror/view';
import { useParams, useSearch } from '@tanstack/react-router';
import { Download, History, ListTree, Play, Save, Square, WandSparkles } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, useSources } from '../../data/server.ts';
import { shadowPosition } from '../../editor/text-view/shadow-position.ts';
import { loadWords, words } from '../../editor/messages/words.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { useKeys } from '../../keys/keys.ts';
import { locale, t } from '../../messages/messages.ts';
import { useSchema } from '../../model-editor/model-editing.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ResultChart } from '../../sql/ResultChart.tsx';
import { ResultTable, type SqlResult } from '../../sql/ResultTable.tsx';
import { SaveModelDialog } from '../../sql/SaveModelDialog.tsx';
import { SchemaTree } from '../../sql/SchemaTree.tsx';
import {
  createSqlEditor,
  formatSql,
  insertName,
  replaceText,
  setSchema,
  statementIn,
  type SqlKind,
} from '../../sql/sql-editor.ts';
import { sampleQueries } from '../../sql/sample-queries.ts';
import { startDownload } from '../../downloads/download-store.ts';
import { addToHistory, rememberText, readHistory, readText } from '../../sql/sql-history.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';

/** Room for one more line, so that the editor is not pushed while a line is typed. */
const spareHeight = 24;
/** The number of rows that are requested; the page says if there are more. */
const maxRows = 1000;

/** Runs SQL on a source, for model authors. */
export function SqlScreen() {
  const { source } = useParams({ from: '/sql/$source' });
  const { model } = useSearch({ from: '/sql/$source' });
  const [begun, setBegun] = useState<{
    readonly key: string;
    readonly text?: string;
    readonly isOfSql?: boolean;
    readonly error?: unknown;
  }>();
  const key = `${source} ${model ?? ''}`;
  useEffect(() => {
    let isGone = false;
    const begin = async () => {
      await loadWords();
      // The saved SQL of a model; without a model, the SQL that was last typed here.
      const file =
        model === undefined ? undefined : modelIn(await client.getModelText({ params: { name: model } }));
      if (!isGone)
        setBegun({
          key,
          text: file ? (file.sql ?? `select * from ${file.table ?? ''}`) : readText(source),
          isOfSql: file?.sql !== undefined,
        });
    };
    begin().catch((error: unknown) => setBegun({ key, error }));
    return () => {
      isGone = true;
    };
  }, [key, source, model]);
  if (begun?.error) return <ErrorScreen error={begun.error} />;
  if (begun?.key !== key || begun.text === undefined)
    return (
      <HeaderTitle title="SQL">
        <span />
      </HeaderTitle>
    );
  return (
    <SqlWorkbench
      key={key}
      source={source}
      model={begun.isOfSql ? model : undefined}
      begunWith={begun.text}
    />
  );
}

/** The saved model; undefined if it cannot be parsed. */
function modelIn({ text, file }: { readonly text: string; readonly file: string }): Partial<ModelFile> {
  const read = readDocument('model', text, file);
  return read.ok ? read.value : {};
}

interface Running {
  readonly controller: AbortController;
  readonly since: number;
}

function SqlWorkbench({
  source,
  model,
  begunWith,
}: {
  readonly source: string;
  readonly model: string | undefined;
  readonly begunWith: string;
}) {
  const { data: schema, error: schemaError } = useSchema(source);
  const { data: sources } = useSources();
  const summary = sources?.sources.find(({ name }) => name === source);
  const kind: SqlKind = source === 'files' ? 'files' : (summary?.kind ?? 'files');
  const [result, setResult] = useState<SqlResult>();
  const [ran, setRan] = useState('');
  const [error, setError] = useState<string>();
  const [running, setRunning] = useState<Running>();
  const [tab, setTab] = useState(0);
  const [history, setHistory] = useState(() => readHistory(source));
  const [openDialog, setOpenDialog] = useState<'model' | 'schema'>();
  const [isEmpty, setIsEmpty] = useState(begunWith.trim() === '');
  const [textHeight, setTextHeight] = useState(0);
  const isWide = useIsWide();
  const position = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLParagraphElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const stop = useRef<AbortController | undefined>(undefined);

  const run = useCallback(
    async (sample?: string) => {
      const sql = sample ?? (view.current ? statementIn(view.current) : '');
      if (sql.trim() === '') return;
      stop.current?.abort();
      const controller = new AbortController();
      stop.current = controller;
      setRunning({ controller, since: Date.now() });
      setError(undefined);
      try {
        const answer = await client.runSql(
          { params: { name: source }, body: { sql, limit: maxRows } },
          { signal: controller.signal },
        );
        if (stop.current !== controller) return;
        setResult(answer);
        setRan(sql);
        setHistory(addToHistory(source, { sql, at: Date.now(), ms: answer.ms, rows: answer.rows.length }));
      } catch (problem) {
        // Cancelled by the user: the previous result stays.
        if (stop.current === controller && !controller.signal.aborted) setError(problemText(problem));
      }
      if (stop.current === controller) setRunning(undefined);
    },
    [source],
  );
  const format = useCallback(() => {
    const editor = view.current;
    if (editor)
      void formatSql(editor.state.doc.toString(), kind).then(
        text => replaceText(editor, text),
        () => setError(words.sql.noFormat),
      );
  }, [kind]);

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
  const known = useRef({ run, format });
  useEffect(() => {
    known.current = { run, format };
  }, [run, format]);
  useEffect(() => {
    const { root, parent, remove } = shadowPosition(position.current!);
    const editor = createSqlEditor({
      root,
      parent,
      text: begunWith,
      label: words.sql.label,
      onType: text => {
        if (model === undefined) rememberText(source, text);
        setIsEmpty(text.trim() === '');
      },
      onHeight: setTextHeight,
      onRun: () => void known.current.run(),
      onFormat: () => known.current.format(),
      onLeave: () => leave.current?.focus(),
    });
    view.current = editor;
    editor.focus();
    return () => {
      stop.current?.abort();
      editor.destroy();
      remove();
    };
  }, [source, model, begunWith]);
  useEffect(() => {
    if (view.current && schema) setSchema(view.current, kind, schema.tables);
  }, [schema, kind]);

  const samples = useMemo(() => sampleQueries(schema?.tables ?? []), [schema]);
  /** The result belongs to the query before the failed one. */
  const isOld = error !== undefined && result !== undefined;
  if (schemaError) return <ErrorScreen error={schemaError} />;
  const label = source === 'files' ? t.data.source : (summary?.label ?? source);
  const tree = (
    <SchemaTree
      tables={schema?.tables ?? []}
      onName={name => {
        setOpenDialog(undefined);
        if (view.current) insertName(view.current, name);
      }}
    />
  );
  const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={`SQL – ${label}`}>
        <h1 className="truncate text-14 font-semibold max-sm:sr-only">
          {model === undefined ? words.sql.title(label) : words.sql.titleOf(model)}
        </h1>
        <span aria-hidden className="text-14 font-semibold sm:hidden">
          {words.sql.label}
        </span>
        <span className="ms-auto flex items-center gap-1.5 max-sm:gap-0.5">
          {isWide ? null : (
            <IconButton label={words.sql.tables} onPress={() => setOpenDialog('schema')}>
              <ListTree size={16} aria-hidden />
            </IconButton>
          )}
          <IconButton label={words.sql.format} isDisabled={isEmpty} onPress={format}>
            <WandSparkles size={16} aria-hidden />
          </IconButton>
          {history.length > 0 ? (
            <Menu
              label={words.sql.history}
              icon={<History size={16} aria-hidden />}
              groups={() => [
                history.slice(0, 20).map((entry, i) => ({
                  id: String(i),
                  label: `${entry.sql.replace(/\s+/g, ' ').slice(0, 70)} · ${words.sql.rows(count(entry.rows))}`,
                  onAction: () => view.current && replaceText(view.current, entry.sql),
                })),
              ]}
            />
          ) : null}
          {result ? (
            <Menu
              label={words.sql.export}
              icon={<Download size={16} aria-hidden />}
              groups={() => [
                (['csv', 'xlsx', 'parquet'] as const).map(one => ({
                  id: one,
                  label: t.formats[one],
                  onAction: () =>
                    startDownload(one, `${source}.${one}`, signal =>
                      client.exportSql(
                        { params: { name: source }, body: { sql: ran, format: one, locale } },
                        { signal },
                      ),
                    ),
                })),
              ]}
            />
          ) : null}
          <Button isDisabled={!result || isEmpty} onPress={() => setOpenDialog('model')}>
            <Save size={14} aria-hidden />
            <span className="max-md:sr-only">{words.sql.saveModel}</span>
          </Button>
          {running ? (
            <Button
              onPress={() => {
                running.controller.abort();
                setRunning(undefined);
              }}
            >
              <Square size={13} aria-hidden />
              <span className="max-sm:sr-only">{words.sql.stop}</span>
            </Button>
          ) : (
            <Button look="primary" isDisabled={isEmpty} onPress={() => void run()}>
              <Play size={14} aria-hidden />
              <span className="max-sm:sr-only">{words.sql.run}</span>
            </Button>
          )}
        </span>
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
        <div
          ref={position}
          className="max-h-[60%] min-h-32 shrink-0 resize-y overflow-hidden border-b border-border bg-surface"
          // Grows with its text, and is as high as it is pulled.
          style={{ height: textHeight + spareHeight }}
          data-testid="sql-editor"
        />
        <p
          ref={leave}
          tabIndex={-1}
          className="shrink-0 border-b border-border bg-surface px-3 py-1 text-11 text-text-3"
        >
          {words.sql.keys}
        </p>
        {error ? (
          <p
            role="alert"
            className="max-h-40 shrink-0 overflow-auto bg-bad-weak px-4 py-2 font-mono text-12 whitespace-pre-wrap text-bad"
          >
            {error}
          </p>
        ) : null}
        <div className="flex shrink-0 items-center gap-4 border-b border-border px-4" aria-live="polite">
          <Tabs
            label={words.sql.results}
            titles={[words.kinds.table, words.sql.chart]}
            selected={tab}
            onSelect={setTab}
          />
          <span className="tabular ms-auto text-12 text-text-2" data-testid="sql-state">
            {running
              ? words.sql.running
              : isOld
                ? words.sql.previous
                : result
                  ? `${result.isCut ? words.sql.firstRows(count(result.rows.length)) : words.sql.rows(count(result.rows.length))} · ${formatNumber(result.ms / 1000, '.2f', locale, 'full')} s`
                  : ''}
          </span>
        </div>
        {/* What came last stays while the next is waited for. */}
        <div
          className={`min-h-0 flex-1 bg-surface ${(running && result) || isOld ? 'opacity-50' : ''}`}
          aria-busy={running !== undefined}
        >
          {result ? (
            tab === 0 ? (
              <ResultTable result={result} />
            ) : (
              <ResultChart key={result.columns.map(column => column.name).join()} result={result} />
            )
          ) : (
            <div className="p-4 text-text-2">
              <p>{running || error ? '' : words.sql.nothingYet}</p>
              {!running && samples.length > 0 ? (
                <div className="flex flex-col items-start gap-1.5 pt-3">
                  <p className="text-12">{words.sql.samples}</p>
                  {samples.map(sample => (
                    <button
                      key={sample}
                      type="button"
                      onClick={() => {
                        if (!view.current) return;
                        replaceText(view.current, sample);
                        view.current.focus();
                        void run(sample);
                      }}
                      className={
                        'max-w-full rounded-control border border-border px-2.5 py-1.5 text-start font-mono ' +
                        'text-12 break-words text-text hover:border-border-strong'
                      }
                    >
                      {sample}
                    </button>
                  ))}
                </div>
              ) : null}
            </div>
          )}
        </div>
      </div>
      {openDialog === 'model' && result ? (
        <SaveModelDialog
          sql={ran}
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
