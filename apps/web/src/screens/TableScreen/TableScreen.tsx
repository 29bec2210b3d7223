import type { TableDetail } from '@belvedere/api';
import { formatDay, formatNumber, formatValue } from '@belvedere/chart';
import { isNumeric, type DataType } from '@belvedere/model';
import { Button, LazyBoundary, lazyComponent, SearchField, StateChip } from '@belvedere/ui';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Cell } from '../../dashboard/tiles/table/Cell.tsx';
import { cellText } from '../../dashboard/tiles/table/cell-text.ts';
import { shownTypes } from '../../dashboard/tiles/table/shown-types.ts';
import { useTable, useTableRows, useTables } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { ImportQuestions } from '../../import-options/ImportQuestions.tsx';
import { locale, t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { TablePartNote } from './TablePartNote.tsx';
import { ImportOptionsButton } from './ImportOptionsButton.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

const ImportOptionsDialog = lazyComponent(() =>
  import('./ImportOptionsDialog.tsx').then(module => module.ImportOptionsDialog),
);
const count = (value: number) => formatNumber(value, 'integer', locale, 'full');

/** A table: its columns and their values, its import report, and its first rows. */
export function TableScreen() {
  const { table: name } = useParams({ from: '/data/files/$table' });
  const { data: table, error } = useTable(name);
  if (error) return <ErrorScreen error={error} />;
  return (
    <div className="mx-auto max-w-[1200px] pt-6">
      <HeaderTitle title={name}>
        <Link to="/data" className="text-13 text-text-2 hover:text-text">
          {t.data.title}
        </Link>
        <span aria-hidden className="text-text-3">
          /
        </span>
        <span className="truncate text-14 font-semibold">{name}</span>
      </HeaderTitle>
      {table ? <Detail table={table} /> : null}
    </div>
  );
}

function Detail({ table }: { readonly table: TableDetail }) {
  // How far it is comes with the list, several times a second; all the rest would be much to ask for so
  // often.
  const { data: all } = useTables();
  const { data } = usePermissions();
  const progress = table.state === 'ready' ? undefined : all?.tables.find(one => one.name === table.name);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">{table.name}</h1>
        <StateChip tone={table.state === 'ready' ? 'good' : table.state === 'rejected' ? 'bad' : 'warn'}>
          {progress?.percent !== undefined
            ? t.importOptions.progress(progress.percent, progress.file)
            : t.states[table.state]}
        </StateChip>
        <TablePartNote table={table} />
        <ImportOptionsButton table={table} />
        {table.model === table.name ? (
          <Link
            to="/d/$dashboard"
            params={{ dashboard: `overview/${table.name}` }}
            search={{}}
            className="text-accent-text underline"
          >
            {t.data.openOverview}
          </Link>
        ) : null}
        {table.model ? (
          <Link to="/explore/$model" params={{ model: table.model }} className="text-accent-text underline">
            {t.data.explore}
          </Link>
        ) : null}
        {table.model && data ? (
          <Link to="/models/$model" params={{ model: table.model }} className="text-accent-text underline">
            {t.data.editModel}
          </Link>
        ) : null}
      </div>
      <p className="text-text-2">{shownFiles(table)}</p>
      {table.state === 'stopped' ? (
        <p role="status" className="mt-3 text-text-2">
          {t.importOptions.stopped}
        </p>
      ) : null}
      {table.problem ? (
        <p role="alert" className="mt-3 rounded-tile bg-bad-weak px-3 py-2 text-bad">
          {t.data.problem(table.problem.file, table.problem.line, table.problem.message)}
        </p>
      ) : null}
      <div className="mt-4 empty:mt-0">
        <ImportQuestions table={table} />
      </div>
      {table.report || table.problem ? <Report table={table} /> : null}
      {table.profile.length > 0 ? <Columns table={table} /> : null}
      {table.state === 'ready' || table.part ? <Preview name={table.name} /> : null}
    </>
  );
}

/** The first files of a table, and how many more it has. */
function shownFiles({ files, fileCount }: Pick<TableDetail, 'files' | 'fileCount'>): string {
  const first = files.slice(0, 6);
  const more = fileCount - first.length;
  return more > 0 ? `${first.join(', ')} ${t.data.moreFiles(count(more))}` : first.join(', ');
}

function Report({ table }: { readonly table: TableDetail }) {
  const [isDeciding, setIsDeciding] = useState(false);
  const report = table.report ?? { rowsRead: 0, rowsKept: 0, rowsRejected: 0, rejected: [], notes: [] };
  const facts = [
    report.encoding && [t.data.encoding, report.encoding],
    report.delimiter && [t.data.delimiter, report.delimiter === '\t' ? t.data.tab : report.delimiter],
    report.hasHeader !== undefined && [t.data.header, report.hasHeader ? t.data.yes : t.data.no],
  ].filter(fact => Array.isArray(fact));
  return (
    <section
      className="mt-5 rounded-tile border border-border bg-surface px-4 py-3"
      aria-label={t.data.reportTitle}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-14 font-semibold">{t.data.reportTitle}</h2>
        <Button onPress={() => setIsDeciding(true)}>{t.importOptions.open}</Button>
      </div>
      {isDeciding ? (
        <LazyBoundary fallback={null}>
          <ImportOptionsDialog table={table} onClose={() => setIsDeciding(false)} />
        </LazyBoundary>
      ) : null}
      <p className="tabular">
        {t.data.report(count(report.rowsRead), count(report.rowsKept), count(report.rowsRejected))}
      </p>
      <dl className="flex flex-wrap gap-x-6 text-12 text-text-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt>{name}</dt>
            <dd className="font-medium text-text">{value}</dd>
          </div>
        ))}
      </dl>
      {report.notes.length > 0 ? (
        <ul className="list-disc pt-1 ps-4 text-12 text-text-2">
          {report.notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      {report.rejected.length > 0 ? (
        <details className="pt-2">
          <summary className="text-13 font-medium">{t.data.rejected}</summary>
          <a
            className="text-12 text-accent-text underline"
            href={`/api/v1/sources/files/tables/${encodeURIComponent(table.name)}/rejected`}
            download
          >
            {t.data.downloadRejected}
          </a>
          <div className="max-h-64 overflow-auto" tabIndex={0} role="region" aria-label={t.data.rejected}>
            <table className="w-full text-12">
              <thead className="text-start text-text-2">
                <tr>
                  <th className="pe-3 font-medium">{t.data.line}</th>
                  <th className="pe-3 font-medium">{t.data.column}</th>
                  <th className="pe-3 font-medium">{t.data.reason}</th>
                  <th className="font-medium">{t.data.text}</th>
                </tr>
              </thead>
              <tbody>
                {report.rejected.map(row => (
                  <tr key={`${row.file}:${row.line}`} className="border-t border-border">
                    <td className="tabular pe-3">{row.line}</td>
                    <td className="pe-3">{row.column}</td>
                    <td className="pe-3">{row.reason}</td>
                    <td className="max-w-96 truncate font-mono">{row.text}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      ) : null}
    </section>
  );
}

const maxColumns = 200;

function Columns({ table }: { readonly table: TableDetail }) {
  const [search, setSearch] = useState('');
  const found = table.profile.filter(column => column.name.toLowerCase().includes(search.toLowerCase()));
  const rows = Math.max(1, table.rows ?? 0);
  const share = (value: number) =>
    value === 0 ? '–' : `${count(value)} (${formatNumber(value / rows, 'percent', locale, 'label')})`;
  const edge = (value: number | string | undefined, { type, format }: TableDetail['profile'][number]) =>
    value === undefined
      ? ''
      : typeof value === 'number' && ['date', 'time', 'instant'].includes(type)
        ? formatDay(value, locale)
        : typeof value === 'number'
          ? cellText(value, type, format)
          : formatValue(value, locale, format);
  return (
    <section className="mt-5">
      <div className="flex items-end justify-between gap-4 pb-2">
        <h2 className="text-14 font-semibold">
          {found.length > maxColumns ? t.data.columnsCut(maxColumns, found.length) : t.data.columnsTitle}
        </h2>
        {table.profile.length > 12 ? (
          <div className="w-56">
            <SearchField label={t.data.search} value={search} onChange={setSearch} />
          </div>
        ) : null}
      </div>
      <div
        className="overflow-x-auto rounded-tile border border-border bg-surface"
        tabIndex={0}
        role="region"
        aria-label={t.data.columnsTitle}
      >
        <table className="w-full text-12">
          <thead className="text-start text-text-2">
            <tr className="border-b border-border">
              {[
                t.data.column,
                t.data.type,
                t.data.nulls,
                t.data.empties,
                t.data.distinct,
                t.data.range,
                t.data.top,
              ].map(title => (
                <th key={title} className="h-8 px-3 font-medium whitespace-nowrap">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, maxColumns).map(column => (
              <tr key={column.name} className="border-b border-border align-top last:border-0">
                <td className="px-3 py-1.5 font-medium">{column.name}</td>
                <td className="px-3 py-1.5 whitespace-nowrap text-text-2">
                  {t.types[column.type] ?? column.type}
                </td>
                <td className="tabular px-3 py-1.5 whitespace-nowrap">{share(column.nulls)}</td>
                <td className="tabular px-3 py-1.5 whitespace-nowrap">{share(column.empties)}</td>
                <td className="tabular px-3 py-1.5 whitespace-nowrap">
                  {column.isDistinctExact ? '' : '≈ '}
                  {count(column.distinct)}
                </td>
                <td className="tabular max-w-56 truncate px-3 py-1.5 whitespace-nowrap text-text-2">
                  {column.min === undefined
                    ? ''
                    : `${edge(column.min, column)} – ${edge(column.max, column)}`}
                </td>
                <td className="max-w-80 truncate px-3 py-1.5 text-text-2">
                  {column.top
                    .slice(0, 4)
                    .map(value => `${formatValue(value.value, locale)} (${count(value.rows)})`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Preview({ name }: { readonly name: string }) {
  const { data } = useTableRows(name);
  if (!data) return null;
  const types = shownTypes(data.columns, data.rows);
  return (
    <section className="mt-5">
      <h2 className="pb-2 text-14 font-semibold">{t.data.preview}</h2>
      <div
        className="max-h-[480px] overflow-auto rounded-tile border border-border bg-surface"
        tabIndex={0}
        role="region"
        aria-label={t.data.preview}
      >
        <table className="text-12">
          <thead className="sticky top-0 bg-surface text-start text-text-2">
            <tr>
              {data.columns.map(column => (
                <th
                  key={column.name}
                  title={column.label}
                  className={`h-8 max-w-72 truncate border-b border-border px-3 font-medium whitespace-nowrap ${isNumeric(column.type as DataType) ? 'text-end' : ''}`}
                >
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row, i) => (
              <tr key={i} className="hover:bg-hover">
                {row.map((value, j) => (
                  <td
                    key={data.columns[j]!.name}
                    className={`tabular max-w-72 truncate border-b border-border px-3 py-1 whitespace-nowrap ${isNumeric(data.columns[j]!.type as DataType) ? 'text-end' : ''}`}
                  >
                    <Cell value={value} type={types[j]!} format={data.columns[j]!.format} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
