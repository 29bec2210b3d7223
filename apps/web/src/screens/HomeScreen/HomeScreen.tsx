import { searchFromState, type DashboardSummary } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, SearchField, StateChip } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark, Folder, Plus, Star as StarIcon } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useThemeName } from '../../dashboard/chart/use-theme.ts';
import { markFavourite, useMe } from '../../data/user-preferences.ts';
import { problemText } from '../../data/problem-text.ts';
import { viewAsUrl, viewedAs } from '../../data/view-as.ts';
import {
  client,
  queryClient,
  useDashboards,
  useFoundDashboards,
  useSession,
  useTables,
} from '../../data/server.ts';
import { useKeys } from '../../keys/keys.ts';
import { locale, t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { chooseFiles } from '../../uploads/offered-files.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { AskField } from './AskField.tsx';

const MoveFolderDialog = lazyComponent(() =>
  import('./MoveFolderDialog.tsx').then(module => module.MoveFolderDialog),
);
const NewDashboardDialog = lazyComponent(() =>
  import('./NewDashboardDialog.tsx').then(module => module.NewDashboardDialog),
);

const none: readonly DashboardSummary[] = [];
/** So many rows are drawn before somebody asks for all of them. */
const firstRows = 100;

/** The workspace's dashboards, what state they are in, and what needs attention. */
export function HomeScreen() {
  const { data: listed, error } = useDashboards();
  const mine = useMe();
  // What is marked comes first: nothing is shown in one order and then in another.
  const data = mine && listed;
  const { data: tables } = useTables();
  const { data: session } = useSession();
  const [search, setSearch] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const [folder, setFolder] = useState<string>();
  const [isAll, setIsAll] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const searchPosition = useRef<HTMLDivElement>(null);
  useKeys(
    t.home.title,
    useMemo(
      () => [
        {
          press: '[Shift]+/',
          label: t.home.search,
          does: () => searchPosition.current?.querySelector('input')?.focus(),
        },
      ],
      [],
    ),
  );
  const { favourites, recent, views } = mine ?? { favourites: [], recent: [], views: [] };
  const all = data?.dashboards ?? none;
  const wanted = useDeferredValue(search.trim());
  const { data: matching } = useFoundDashboards(wanted);
  const found = (wanted === '' ? all : (matching?.dashboards ?? [])).filter(
    dashboard =>
      folder === undefined || dashboard.folder === folder || dashboard.folder.startsWith(`${folder}/`),
  );
  const saved = all.filter(dashboard => dashboard.origin === 'saved');
  const folders = useMemo(() => foldersOf(all), [all]);
  // What is marked, then what was looked at last, then the others.
  const rank = ({ id }: DashboardSummary) =>
    favourites.includes(id)
      ? favourites.indexOf(id) - 1000
      : recent.some(one => one.dashboard === id)
        ? recent.findIndex(one => one.dashboard === id)
        : 1000;
  const featured = (saved.length > 0 ? saved : all).toSorted((one, other) => rank(one) - rank(other));
  const overviews = all.filter(dashboard => dashboard.origin === 'overview');
  if (error) return <ErrorScreen error={error} />;
  const list = tables?.tables ?? [];
  const reading = list.filter(table => table.state === 'reading' || table.state === 'waiting').length;
  const failed = list.filter(table => table.state === 'rejected').length + (data?.skippedFiles.length ?? 0);
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HeaderTitle title={t.home.title}>
        <span className="truncate text-14 font-semibold">{t.home.title}</span>
        <span className="ms-auto flex gap-2" hidden={viewedAs !== undefined}>
          <span className="max-sm:hidden">
            <Button onPress={chooseFiles}>{t.uploads.add}</Button>
          </span>
          <Button look="primary" onPress={() => setIsCreating(true)}>
            <Plus size={15} aria-hidden />
            {t.home.create}
          </Button>
        </span>
      </HeaderTitle>
      {isMoving && folder !== undefined ? (
        <LazyBoundary fallback={null}>
          <MoveFolderDialog
            folder={folder}
            onMoved={to => {
              setFolder(to);
              setIsMoving(false);
            }}
            onClose={() => setIsMoving(false)}
          />
        </LazyBoundary>
      ) : null}
      {isCreating ? (
        <LazyBoundary fallback={null}>
          <NewDashboardDialog onClose={() => setIsCreating(false)} />
        </LazyBoundary>
      ) : null}
      <h1 className="text-20 font-semibold tracking-[-0.01em]">
        {session ? t.home.greeting(session.workspace.title) : ' '}
      </h1>
      <p className="text-text-2">
        {data && tables ? t.home.status(saved.length, list.length, reading, failed) : ' '}
      </p>
      {viewedAs === undefined && all.length > 0 ? <AskField /> : null}
      {data && all.length === 0 ? (
        <div className="mt-10 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center">
          <h2 className="text-15 font-semibold">{t.home.emptyTitle}</h2>
          <p className="mx-auto mt-1 max-w-md text-text-2">{t.home.emptyText}</p>
        </div>
      ) : null}
      {featured.length > 0 ? (
        <section aria-label={saved.length > 0 ? t.home.saved : t.home.overviews} className="mt-6">
          <h2 className="text-14 font-semibold">{saved.length > 0 ? t.home.saved : t.home.overviews}</h2>
          {saved.length === 0 ? <p className="text-12 text-text-3">{t.home.overviewsHint}</p> : null}
          <ul className="mt-2 grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1">
            {featured.slice(0, 8).map(dashboard => (
              <li key={dashboard.id}>
                <Card dashboard={dashboard} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {views.length > 0 ? (
        <section aria-label={t.views.label} className="mt-8">
          <h2 className="text-14 font-semibold">{t.views.label}</h2>
          <ul className="mt-2 flex flex-wrap gap-1.5">
            {views.map(view => (
              <li key={`${view.dashboard} ${view.name}`} className="max-w-full">
                <Link
                  to="/d/$dashboard"
                  params={{ dashboard: view.dashboard }}
                  search={searchFromState(view.state)}
                  className="flex h-8 max-w-full items-center gap-1.5 rounded-control border border-border bg-surface px-2.5 text-13 hover:border-border-strong pointer-coarse:h-11"
                >
                  <Bookmark size={14} className="shrink-0 text-text-3" aria-hidden />
                  <span className="truncate font-medium">{view.name}</span>
                  <span className="truncate text-text-3">
                    {all.find(({ id }) => id === view.dashboard)?.title}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {all.length > 0 ? (
        <section className="mt-8">
          <div className="flex items-end justify-between gap-4 pb-2">
            <h2 className="text-14 font-semibold">{t.home.all}</h2>
            <div ref={searchPosition} className="w-56">
              <SearchField label={t.home.search} maxLength={200} value={search} onChange={setSearch} />
            </div>
          </div>
          {folders.length > 0 ? (
            <div role="group" aria-label={t.home.folder} className="flex flex-wrap gap-1.5 pb-2">
              <Button
                look="pill"
                aria-pressed={folder === undefined}
                className={folder === undefined ? 'border-accent! text-accent-text!' : ''}
                onPress={() => setFolder(undefined)}
              >
                {t.home.allFolders}
              </Button>
              {folders.map(([name, count]) => (
                <Button
                  key={name}
                  look="pill"
                  aria-pressed={folder === name}
                  className={folder === name ? 'border-accent! text-accent-text!' : ''}
                  onPress={() => setFolder(folder === name ? undefined : name)}
                >
                  <Folder size={14} aria-hidden />
                  {name}
                  <span className="tabular text-text-3">{count}</span>
                </Button>
              ))}
              {folder === undefined ? null : (
                <Button look="quiet" onPress={() => setIsMoving(true)}>
                  {t.home.moveFolder}
                </Button>
              )}
            </div>
          ) : null}
          <div
            className="overflow-x-auto rounded-tile border border-border bg-surface"
            tabIndex={0}
            role="region"
            aria-label={t.home.all}
          >
            <table className="w-full text-13">
              <thead className="text-start text-12 text-text-2">
                <tr className="border-b border-border">
                  <th className="h-9 px-3 font-medium">{t.home.name}</th>
                  <th className="px-3 font-medium max-sm:hidden">{t.home.folder}</th>
                  <th className="px-3 text-end font-medium max-sm:hidden">{t.home.tiles}</th>
                  <th className="px-3 font-medium max-md:hidden">{t.home.updated}</th>
                  <th className="px-3 font-medium">{t.home.state}</th>
                </tr>
              </thead>
              <tbody>
                {found.slice(0, isAll ? undefined : firstRows).map(dashboard => (
                  <tr key={dashboard.id} className="border-b border-border last:border-0 hover:bg-hover">
                    <td className="h-9 max-w-80 truncate px-3 font-medium">
                      {viewedAs === undefined ? (
                        <Star
                          id={dashboard.id}
                          title={dashboard.title}
                          isFavourite={favourites.includes(dashboard.id)}
                        />
                      ) : null}
                      <Link
                        to="/d/$dashboard"
                        params={{ dashboard: dashboard.id }}
                        search={{}}
                        className="hover:underline"
                      >
                        {dashboard.title}
                      </Link>
                    </td>
                    <td className="px-3 text-text-2 max-sm:hidden">
                      {dashboard.folder || (dashboard.origin === 'overview' ? t.states.overview : '–')}
                    </td>
                    <td className="tabular px-3 text-end text-text-2 max-sm:hidden">
                      {dashboard.tiles || '–'}
                    </td>
                    <td className="px-3 text-text-2 max-md:hidden">
                      {dashboard.updated
                        ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
                            new Date(dashboard.updated),
                          )
                        : '–'}
                    </td>
                    <td className="px-3">
                      <StateChip
                        tone={
                          dashboard.state === 'ready' ? 'good' : dashboard.state === 'broken' ? 'bad' : 'warn'
                        }
                      >
                        {t.states[dashboard.state]}
                      </StateChip>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.length === 0 ? <p className="p-4 text-text-2">{t.home.noMatch}</p> : null}
          </div>
          {!isAll && found.length > firstRows ? (
            <Button look="quiet" className="mt-1" onPress={() => setIsAll(true)}>
              {t.home.showAll(found.length)}
            </Button>
          ) : null}
          {saved.length > 0 && overviews.length > 0 ? (
            <p className="pt-2 text-12 text-text-3">{t.home.overviewsHint}</p>
          ) : null}
        </section>
      ) : null}
      {viewedAs === undefined ? <Bin /> : null}
    </div>
  );
}

/** Each folder that dashboards are in, with how many there are in it and below it. */
function foldersOf(dashboards: readonly DashboardSummary[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { folder } of dashboards) {
    const steps = folder === '' ? [] : folder.split('/');
    steps.forEach((_, i) =>
      counts.set(steps.slice(0, i + 1).join('/'), (counts.get(steps.slice(0, i + 1).join('/')) ?? 0) + 1),
    );
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function Star({
  id,
  title,
  isFavourite,
}: {
  readonly id: string;
  readonly title: string;
  readonly isFavourite: boolean;
}) {
  return (
    <button
      type="button"
      aria-pressed={isFavourite}
      aria-label={t.home.favourite(title)}
      onClick={() => markFavourite(id, !isFavourite)}
      className={`me-2 inline-flex size-6 items-center justify-center rounded-control align-middle hover:bg-hover pointer-coarse:size-11 ${isFavourite ? 'text-warn' : 'text-text-3'}`}
    >
      <StarIcon size={14} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </button>
  );
}

/** What was taken away lately, and the way back. */
function Bin() {
  const { data } = useQuery({
    queryKey: ['workspace', 'bin'],
    queryFn: ({ signal }) => client.listTrash({}, { signal }),
  });
  const [error, setError] = useState<string>();
  const binned = data?.dashboards ?? [];
  if (binned.length === 0) return null;
  const restore = async (number: number) => {
    try {
      await client.restoreDashboard({ params: { number } });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <details className="mt-6">
      <summary className="text-13 text-text-2">{t.home.bin(binned.length)}</summary>
      {error ? (
        <p role="alert" className="py-1 text-bad">
          {error}
        </p>
      ) : null}
      <ul className="mt-2 rounded-tile border border-border bg-surface">
        {binned.map(({ number, title, at }) => (
          <li
            key={number}
            className="flex items-center gap-3 border-b border-border px-3 py-1.5 last:border-0"
          >
            <span className="min-w-0 flex-1 truncate">{title}</span>
            <span className="text-12 text-text-2">
              {new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
                new Date(at),
              )}
            </span>
            <Button onPress={() => void restore(number)}>{t.home.restore}</Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Card({ dashboard }: { readonly dashboard: DashboardSummary }) {
  const theme = useThemeName();
  const [isDrawn, setIsDrawn] = useState(true);
  return (
    <Link
      to="/d/$dashboard"
      params={{ dashboard: dashboard.id }}
      search={{}}
      className="block overflow-hidden rounded-tile border border-border bg-surface hover:border-border-strong"
    >
      <div className="aspect-video border-b border-border bg-canvas">
        {dashboard.state === 'ready' && isDrawn ? (
          <img
            src={viewAsUrl(
              `/api/v1/dashboards/${encodeURIComponent(dashboard.id)}/thumbnail?theme=${theme}&v=${dashboard.revision}`,
            )}
            alt={t.home.thumbnail(dashboard.title)}
            className="size-full object-cover object-top"
            loading="lazy"
            onError={() => setIsDrawn(false)}
          />
        ) : null}
      </div>
      <div className="px-3 py-2">
        <p className="truncate font-medium">{dashboard.title}</p>
        <p className="truncate text-12 text-text-2">
          {dashboard.state === 'ready'
            ? (dashboard.description ?? t.states[dashboard.origin])
            : t.states[dashboard.state]}
        </p>
      </div>
    </Link>
  );
}
