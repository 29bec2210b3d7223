import type { SourceDetail } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Button, LazyBoundary, lazyComponent, SearchField } from '@belvedere/ui';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { localTimeFormat } from '../../data/session/own-zone.ts';
import { Cell } from '../../dashboard/tiles/table/Cell.tsx';
import { client, queryClient, useSource } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { locale, t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { SourceStateChip } from '../DataScreen/SourceList.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { ConfirmSource } from './ConfirmSource.tsx';
import { PauseSource } from './PauseSource.tsx';
import { RemoveSource } from './RemoveSource.tsx';

const ConnectDialog = lazyComponent(() =>
  import('../DataScreen/ConnectDialog.tsx').then(module => module.ConnectDialog),
);

/** One database: how it is, what changed in it, its tables and their columns. */
export function SourceScreen() {
  const { source: name } = useParams({ from: '/data/sources/$source' });
  const { data: source, error } = useSource(name);
  if (error) return <ErrorScreen error={error} />;
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HeaderTitle title={source?.label ?? name}>
        <Link to="/data" className="text-13 text-text-2 hover:text-text">
          {t.data.title}
        </Link>
        <span aria-hidden className="text-text-3">
          /
        </span>
        <span className="truncate text-14 font-semibold">{source?.label ?? name}</span>
      </HeaderTitle>
      {source ? <Detail source={source} /> : null}
    </div>
  );
}

function Detail({ source }: { readonly source: SourceDetail }) {
  const permissions = usePermissions();
  const [search, setSearch] = useState('');
  const [isTrying, setIsTrying] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const found = source.tableList.filter(table => table.name.toLowerCase().includes(search.toLowerCase()));
  // Files are imported again when they change.
  const isFile = source.kind === 'sqlite' || source.kind === 'duckdb';
  const isPaused = source.state === 'paused';
  const retry = async () => {
    setIsTrying(true);
    await client.retrySource({ params: { name: source.name } }).catch(() => {});
    await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    setIsTrying(false);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">{source.label}</h1>
        <SourceStateChip source={source} />
        {source.unconfirmed || isPaused || isFile || !permissions.data ? null : (
          <Button isDisabled={isTrying} onPress={() => void retry()}>
            {isTrying ? t.sources.trying : source.state === 'ready' ? t.sources.refresh : t.sources.retry}
          </Button>
        )}
        {source.connection && !source.unconfirmed && permissions.administer ? (
          <Button onPress={() => setIsChanging(true)}>{t.sources.change}</Button>
        ) : null}
        {isFile || !permissions.administer ? null : <PauseSource source={source} />}
        {permissions.administer ? <RemoveSource source={source} /> : null}
        {permissions.team && permissions.administer ? (
          <ShareButton
            shared={{ kind: 'source', id: source.name, label: source.label }}
            address={`/data/sources/${encodeURIComponent(source.name)}`}
          />
        ) : null}
        {isChanging ? (
          <LazyBoundary fallback={null}>
            <ConnectDialog source={source} onClose={() => setIsChanging(false)} />
          </LazyBoundary>
        ) : null}
        {source.tableList.length > 1 && !source.unconfirmed ? (
          <Link
            to="/data/relationships/$source"
            params={{ source: source.name }}
            search={{}}
            className="text-13 text-accent-text underline"
          >
            {t.data.relationships}
          </Link>
        ) : null}
        {isFile || source.unconfirmed || isPaused || !permissions.data ? null : (
          <Link
            to="/sql/$source"
            params={{ source: source.name }}
            search={{}}
            className="text-13 text-accent-text underline"
          >
            {t.data.sql}
          </Link>
        )}
      </div>
      <p className="text-text-2">
        {[source.server ?? t.sources.kinds[source.kind], source.host, t.sources.since(moment(source.since))]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {source.unconfirmed && permissions.administer ? (
        <ConfirmSource key={source.unconfirmed.content} name={source.name} unconfirmed={source.unconfirmed} />
      ) : null}
      {isPaused ? (
        <p role="status" className="mt-3 rounded-tile bg-surface-2 px-3 py-2 wrap-anywhere">
          {source.pausedFor === undefined ? t.sources.paused : t.sources.pausedFor(source.pausedFor)}
        </p>
      ) : null}
      {source.problem ? (
        <p role="alert" className="mt-3 rounded-tile bg-bad-weak px-3 py-2 text-bad">
          {source.problem.message}
        </p>
      ) : null}
      {source.warnings.length > 0 ? (
        <ul className="mt-3 rounded-tile border border-border bg-surface px-4 py-2 text-13">
          {source.warnings.map(warning => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      ) : null}
      {source.drift.length > 0 ? (
        <section className="mt-5" aria-label={t.sources.drift}>
          <h2 className="pb-2 text-14 font-semibold">{t.sources.drift}</h2>
          <ul className="rounded-tile border border-border bg-surface px-4 py-2 text-13">
            {source.drift.map(change => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      ) : null}
      {source.watermarks.length > 0 ? (
        <section className="mt-5" aria-label={t.sources.watermarks}>
          <h2 className="pb-2 text-14 font-semibold">{t.sources.watermarks}</h2>
          <ul className="flex flex-col gap-1 rounded-tile border border-border bg-surface px-4 py-2 text-13">
            {source.watermarks.map(({ model, label, expression, value, type, since }) => (
              <li key={model} className="flex flex-wrap items-baseline gap-x-3">
                <Link to="/models/$model" params={{ model }} className="text-accent-text underline">
                  {label}
                </Link>
                <span className="tabular font-medium">
                  <Cell value={value} type={type} />
                </span>
                <code className="font-mono text-12 text-text-2">{expression}</code>
                <span className="tabular ms-auto text-12 text-text-2">{t.sources.since(moment(since))}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {source.unconfirmed && source.tables === 0 ? null : (
        <section className="mt-5" aria-label={t.sources.tablesTitle}>
          <div className="flex items-end justify-between gap-4 pb-2">
            <h2 className="text-14 font-semibold">{t.sources.tables(source.tables)}</h2>
            {source.tableList.length > 8 ? (
              <div className="w-56">
                <SearchField label={t.sources.search} value={search} onChange={setSearch} />
              </div>
            ) : null}
          </div>
          <ul className="flex flex-col gap-2">
            {found.slice(0, 300).map(table => (
              <li key={table.name} className="rounded-tile border border-border bg-surface">
                <details>
                  <summary className="flex flex-wrap items-center gap-x-3 px-4 py-2">
                    <span className="font-medium">{table.name}</span>
                    <span className="tabular text-12 text-text-2">
                      {[
                        table.isView ? t.sources.view : undefined,
                        t.sources.columns(table.columns.length),
                        table.estimatedRows === undefined
                          ? undefined
                          : t.sources.about(formatNumber(table.estimatedRows, 'integer', locale, 'label')),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                    {table.overview ? (
                      <Link
                        to="/d/$dashboard"
                        params={{ dashboard: table.overview }}
                        search={{}}
                        className="ms-auto text-13 text-accent-text underline"
                      >
                        {t.data.openOverview}
                      </Link>
                    ) : null}
                    {table.model ? (
                      <Link
                        to="/models/$model"
                        params={{ model: table.model }}
                        className={`text-13 text-accent-text underline ${table.overview ? '' : 'ms-auto'}`}
                      >
                        {t.data.editModel}
                      </Link>
                    ) : null}
                  </summary>
                  <ul className="grid gap-x-6 border-t border-border px-4 py-2 text-12 sm:grid-cols-2 lg:grid-cols-3">
                    {table.columns.map(column => (
                      <li key={column.name} className="flex justify-between gap-3">
                        <span className="truncate">{column.name}</span>
                        <span className="text-text-2">{t.types[column.type] ?? column.type}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function moment(iso: string): string {
  return localTimeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}
