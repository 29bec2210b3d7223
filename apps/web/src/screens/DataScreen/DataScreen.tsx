import type { TableSummary } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Button, LazyBoundary, lazyComponent, StateChip } from '@belvedere/ui';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSources, useTables } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { locale, t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { chooseFiles } from '../../uploads/offered-files.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { TablePartNote } from '../TableScreen/TablePartNote.tsx';
import { ImportOptionsButton } from '../TableScreen/ImportOptionsButton.tsx';
import { SourceList } from './SourceList.tsx';

const ConnectDialog = lazyComponent(() => import('./ConnectDialog.tsx').then(module => module.ConnectDialog));

const tones = {
  ready: 'good',
  importing: 'warn',
  waiting: 'warn',
  rejected: 'bad',
  stopped: 'warn',
} as const;

/** The files and what became of them. */
export function DataScreen() {
  const { data, error } = useTables();
  const { data: databases } = useSources();
  const isAsked = useSearch({ from: '/data' }).connect !== undefined;
  const navigate = useNavigate();
  const permissions = usePermissions();
  const [isConnecting, setIsConnecting] = useState(isAsked);
  if (error) return <ErrorScreen error={error} />;
  const tables = data?.tables ?? [];
  const rows = tables.reduce((sum, table) => sum + (table.rows ?? 0), 0);
  const count = (value: number | undefined) =>
    value === undefined ? '–' : formatNumber(value, 'integer', locale, 'full');
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HeaderTitle title={t.data.title}>
        <span className="truncate text-14 font-semibold">{t.data.title}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-center justify-between gap-3 pb-3">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">{t.sources.title}</h1>
        {permissions.administer ? (
          <Button onPress={() => setIsConnecting(true)}>{t.sources.connect}</Button>
        ) : null}
      </div>
      {isConnecting && permissions.administer ? (
        <LazyBoundary fallback={null}>
          <ConnectDialog
            onClose={() => {
              setIsConnecting(false);
              if (isAsked) void navigate({ to: '/data', search: {}, replace: true });
            }}
          />
        </LazyBoundary>
      ) : null}
      {databases && databases.sources.length === 0 ? <p className="text-text-2">{t.sources.empty}</p> : null}
      {databases ? <SourceList sources={databases.sources} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-3 pt-8">
        <h2 className="text-20 font-semibold tracking-[-0.01em]">{t.data.source}</h2>
        <span className="flex items-center gap-3">
          {tables.length > 0 && permissions.data ? (
            <Link
              to="/sql/$source"
              params={{ source: 'files' }}
              search={{}}
              className="text-13 text-accent-text underline"
            >
              {t.data.sql}
            </Link>
          ) : null}
          {tables.length > 1 ? (
            <Link
              to="/data/relationships/$source"
              params={{ source: 'files' }}
              search={{}}
              className="text-13 text-accent-text underline"
            >
              {t.data.relationships}
            </Link>
          ) : null}
          {permissions.team && permissions.administer ? (
            <ShareButton shared={{ kind: 'source', id: 'files', label: t.data.source }} />
          ) : null}
          {permissions.data ? <Button onPress={chooseFiles}>{t.uploads.add}</Button> : null}
        </span>
      </div>
      <p className="pb-4 text-text-2">{data ? t.data.status(tables.length, count(rows)) : ' '}</p>
      {data && tables.length === 0 ? (
        <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
          {t.data.empty}
        </p>
      ) : null}
      {tables.length > 0 ? (
        <div
          className="overflow-x-auto rounded-tile border border-border bg-surface"
          tabIndex={0}
          role="region"
          aria-label={t.data.table}
        >
          <table className="w-full text-13">
            <thead className="text-start text-12 text-text-2">
              <tr className="border-b border-border">
                <th className="h-9 px-3 font-medium">{t.data.table}</th>
                <th className="px-3 font-medium">{t.data.state}</th>
                <th className="px-3 text-end font-medium">{t.data.rows}</th>
                <th className="px-3 text-end font-medium max-sm:hidden">{t.data.columns}</th>
                <th className="px-3 text-end font-medium max-md:hidden">{t.data.size}</th>
                <th className="px-3 font-medium max-md:hidden">{t.data.files}</th>
              </tr>
            </thead>
            <tbody>
              {tables.map(table => (
                <tr key={table.name} className="border-b border-border last:border-0 hover:bg-hover">
                  <td className="h-9 px-3 font-medium">
                    <Link to="/data/files/$table" params={{ table: table.name }} className="hover:underline">
                      {table.name}
                    </Link>
                  </td>
                  <td className="px-3 py-1.5">
                    <State table={table} />
                  </td>
                  <td className="tabular px-3 text-end">{count(table.rows)}</td>
                  <td className="tabular px-3 text-end max-sm:hidden">{count(table.columns)}</td>
                  <td className="tabular px-3 text-end text-text-2 max-md:hidden">
                    {formatNumber(table.bytes, 'bytes', locale, 'label')}
                  </td>
                  <td className="max-w-64 truncate px-3 text-text-2 max-md:hidden">
                    {table.fileCount > 1
                      ? `${table.files[0]} +${formatNumber(table.fileCount - 1, 'integer', locale, 'full')}`
                      : table.files[0]}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {data && data.skippedFiles.length > 0 ? (
        <section className="mt-8" aria-label={t.data.skippedFiles}>
          <h2 className="pb-2 text-14 font-semibold">{t.data.skippedFiles}</h2>
          <ul className="rounded-tile border border-border bg-surface">
            {data.skippedFiles.map(({ file, reason }) => (
              <li key={file} className="border-b border-border px-3 py-2 last:border-0">
                <span className="font-medium">{file}</span> <span className="text-text-2">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function State({ table }: { readonly table: TableSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StateChip tone={tones[table.state]}>
        {table.state === 'importing' && table.percent !== undefined
          ? t.importOptions.progress(table.percent, table.file)
          : t.states[table.state]}
      </StateChip>
      <TablePartNote table={table} />
      <ImportOptionsButton table={table} />
      {table.problem ? (
        <span className="text-12 text-bad">
          {t.data.problem(table.problem.file, table.problem.line, table.problem.message)}
        </span>
      ) : null}
      {table.rowsRejected ? (
        <StateChip tone="warn">
          {t.data.rowsRejected(formatNumber(table.rowsRejected, 'integer', locale, 'full'))}
        </StateChip>
      ) : null}
      {table.openQuestions && table.state === 'ready' ? (
        <Link to="/data/files/$table" params={{ table: table.name }} className="hover:underline">
          <StateChip tone="neutral">{t.data.openQuestions(table.openQuestions)}</StateChip>
        </Link>
      ) : null}
    </span>
  );
}
