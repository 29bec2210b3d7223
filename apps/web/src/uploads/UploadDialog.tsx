import { ApiError, uploadFile, type TableDetail } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Button, Modal } from '@belvedere/ui';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client, useTable, useTables } from '../data/server.ts';
import { ImportQuestions } from '../import-options/ImportQuestions.tsx';
import { locale, t } from '../messages/messages.ts';
import { dropOffered } from './offered-files.ts';

type Sending =
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'there' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'failed'; readonly message: string };

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');

/** Shows the progress of uploaded files, and then each file's import report and dashboard. */
export function UploadDialog({ files }: { readonly files: readonly File[] }) {
  return (
    <Modal
      label={t.uploads.title}
      isOpen
      onOpenChange={isOpen => !isOpen && dropOffered()}
      className="max-w-lg"
      hasOwnClose
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{t.uploads.title}</h2>
        <ul className="flex max-h-[50vh] flex-col gap-3 overflow-y-auto">
          {files.map((file, i) => (
            <li key={`${file.name}-${i}`}>
              <OneFile file={file} isOnly={files.length === 1} />
            </li>
          ))}
        </ul>
        <div className="flex justify-end">
          <Button onPress={dropOffered}>{t.uploads.close}</Button>
        </div>
      </div>
    </Modal>
  );
}

function OneFile({ file, isOnly }: { readonly file: File; readonly isOnly: boolean }) {
  const [name, setName] = useState(file.name);
  const [sending, setSending] = useState<Sending>({ kind: 'sending', share: 0 });
  const [before, setBefore] = useState<TableDetail>();
  const queries = useQueryClient();
  const isBegun = useRef(false);
  const { data } = useTables();

  const send = async (as: string, replaces: boolean) => {
    setName(as);
    if (file.size === 0) return setSending({ kind: 'failed', message: t.uploads.empty });
    setSending({ kind: 'sending', share: 0 });
    try {
      await uploadFile('', as, file, {
        replaces,
        onProgress: share => setSending({ kind: 'sending', share }),
      });
      await queries.invalidateQueries({ queryKey: ['workspace'] });
      setSending({ kind: 'arrived' });
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : undefined;
      setSending(
        problem?.type === 'revision-conflict'
          ? { kind: 'there' }
          : { kind: 'failed', message: problemText(error) },
      );
    }
  };
  const sendNow = useRef(send);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void sendNow.current(file.name, false);
  }, [file]);
  const replace = async () => {
    const old = data?.tables.find(table => table.files.some(one => one.split('/').at(-1) === name));
    if (old) setBefore(await client.getTable({ params: { table: old.name } }).catch(() => undefined));
    await send(name, true);
  };
  const other = () => {
    const dot = name.search(/\.[a-z0-9.]+$/i);
    const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    const number = /-(\d+)$/.exec(stem);
    return `${number ? stem.slice(0, number.index) : stem}-${Number(number?.[1] ?? 1) + 1}${end}`;
  };
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <span className="text-12 text-text-2">{formatNumber(file.size, 'bytes', locale, 'label')}</span>
      </p>
      {sending.kind === 'sending' ? <Progress share={sending.share} label={t.uploads.sending} /> : null}
      {sending.kind === 'failed' ? (
        <p role="alert" className="text-bad">
          {sending.message}
        </p>
      ) : null}
      {sending.kind === 'there' ? (
        <div role="alert" className="flex flex-wrap items-center gap-2">
          <span className="text-warn">{t.uploads.there}</span>
          <Button onPress={() => void replace()}>{t.uploads.replace}</Button>
          <Button onPress={() => void send(other(), false)}>{t.uploads.keepBoth}</Button>
        </div>
      ) : null}
      {sending.kind === 'arrived' ? <Reading name={name} isOnly={isOnly} before={before} /> : null}
    </div>
  );
}

function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  );
}

function Reading({
  name,
  isOnly,
  before,
}: {
  readonly name: string;
  readonly isOnly: boolean;
  readonly before: TableDetail | undefined;
}) {
  const { data } = useTables();
  // A workbook has a table for each sheet. Tables of nested lists are named after their parent and left out.
  const ofFile = data?.tables.filter(one => one.files.some(file => file.split('/').at(-1) === name)) ?? [];
  const tables = ofFile.filter(one => !ofFile.some(other => one.name.startsWith(`${other.name}_`)));
  const [table] = tables;
  const skippedFiles = data?.skippedFiles.find(skipped => skipped.file.split('/').at(-1) === name);
  // Until the upload is imported, this is the table of the file it replaces.
  const isNew = table?.state === 'ready' && (!before || table.readAt !== before.readAt);
  if (skippedFiles)
    return (
      <p role="alert" className="text-bad">
        {skippedFiles.reason}
      </p>
    );
  if (table?.state === 'rejected')
    return (
      <p role="alert" className="text-bad">
        {table.problem?.message}
      </p>
    );
  if (table?.state === 'stopped')
    return (
      <p role="status" className="text-text-2">
        {t.importOptions.stopped}
      </p>
    );
  if (!table || !isNew) return <Progress share={(table?.percent ?? 0) / 100} label={t.uploads.importing} />;
  if (tables.length === 1) return <Report table={table.name} isOnly={isOnly} before={before} />;
  return (
    <ul className="flex flex-col gap-2">
      {tables.map(one => (
        <li key={one.name}>
          <p className="text-13">{one.name}</p>
          <Report table={one.name} isOnly={false} before={one.name === before?.name ? before : undefined} />
        </li>
      ))}
    </ul>
  );
}

/** The import report of a file. A single file without problems opens its dashboard instead. */
function Report({
  table,
  isOnly,
  before,
}: {
  readonly table: string;
  readonly isOnly: boolean;
  readonly before: TableDetail | undefined;
}) {
  const { data } = useTable(table);
  const navigate = useNavigate();
  // Do not navigate away from an editor.
  const isEditing = useRouterState({
    select: state => state.matches.some(match => match.routeId === '/d/$dashboard/edit'),
  });
  const opensDashboard =
    isOnly &&
    !isEditing &&
    !before &&
    data?.state === 'ready' &&
    data.report !== undefined &&
    data.report.rowsRejected === 0 &&
    (data.report.questions ?? []).length + (data.report.nearly ?? []).length === 0 &&
    data.model !== undefined;
  useEffect(() => {
    if (!opensDashboard) return;
    dropOffered();
    void navigate({ to: '/d/$dashboard', params: { dashboard: `overview/${table}` }, search: {} });
  }, [opensDashboard, navigate, table]);
  if (!data?.report) return <Progress share={1} label={t.uploads.importing} />;
  const { rowsRead, rowsKept, rowsRejected } = data.report;
  const names = new Set(data.profile.map(column => column.name));
  const were = new Set(before?.profile.map(column => column.name));
  return (
    <div className="flex flex-col gap-1 text-12 text-text-2">
      <p className="tabular">{t.data.report(count(rowsRead), count(rowsKept), count(rowsRejected))}</p>
      {before ? (
        <p className="tabular">
          {t.uploads.changed(
            count(before.rows ?? 0),
            count(data.rows ?? 0),
            [...names].filter(name => !were.has(name)).join(', '),
            [...were].filter(name => !names.has(name)).join(', '),
          )}
        </p>
      ) : null}
      <ImportQuestions table={data} />
      <p className="flex gap-3 text-13">
        <Link
          to="/d/$dashboard"
          params={{ dashboard: `overview/${table}` }}
          search={{}}
          onClick={dropOffered}
          className="text-accent-text underline"
        >
          {t.data.openOverview}
        </Link>
        <Link
          to="/data/files/$table"
          params={{ table }}
          onClick={dropOffered}
          className="text-accent-text underline"
        >
          {t.data.reportTitle}
        </Link>
      </p>
    </div>
  );
}
