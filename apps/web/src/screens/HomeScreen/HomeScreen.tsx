import { includesLevel, isAtLeast, searchFromState, type DashboardSummary } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, Menu, SearchField, StateChip } from '@belvedere/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  Bookmark,
  ChevronDown,
  ChevronUp,
  Database,
  Ellipsis,
  ExternalLink,
  FilePlus,
  Folder,
  Plus,
  Star as StarIcon,
  Trash2,
} from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react';
import { useDashboardActions } from '../../dashboard/actions/use-dashboard-actions.tsx';
import { useThemeName } from '../../dashboard/chart/use-theme.ts';
import { markFavourite, useMe } from '../../data/user-preferences.ts';
import { problemText } from '../../data/problem-text.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import { viewAsUrl, viewedAs } from '../../data/view-as.ts';
import {
  client,
  queryClient,
  useDashboards,
  useFoundDashboards,
  useSession,
  useTables,
  useTrash,
} from '../../data/server.ts';
import { useKeys } from '../../keys/keys.ts';
import { locale, t } from '../../messages/messages.ts';
import { relativeTime } from '../../messages/relative-time.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
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
/** So many are shown as pictures. */
const mostCards = 8;

/** The workspace's dashboards, what state they are in, and what needs attention. */
export function HomeScreen() {
  const { data: listed, error } = useDashboards();
  const mine = useMe();
  // What is marked comes first: nothing is shown in one order and then in another.
  const data = mine && listed;
  const { data: tables } = useTables();
  const { data: session } = useSession();
  const permissions = usePermissions();
  const [search, setSearch] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const [folder, setFolder] = useState<string>();
  const [isAll, setIsAll] = useState(false);
  const [hasMore, setHasMore] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const navigate = useNavigate();
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
  const isFolded = (dashboard: DashboardSummary) =>
    showsOnlyRows(dashboard) && !favourites.includes(dashboard.id) && !all.every(showsOnlyRows);
  const featured = (saved.length > 0 ? saved : all)
    .filter(dashboard => !isFolded(dashboard))
    .toSorted((one, other) => rank(one) - rank(other));
  const overviews = all.filter(dashboard => dashboard.origin === 'overview');
  // A dashboard is listed once: as a card, or in the table.
  const cards = wanted === '' && folder === undefined ? featured.slice(0, mostCards) : [];
  const listedRows = cards.length > 0 ? found.filter(one => !cards.includes(one)) : found;
  const folded = cards.length > 0 ? listedRows.filter(isFolded) : [];
  const rows = hasMore ? listedRows : listedRows.filter(one => !folded.includes(one));
  const actions = useDashboardActions();
  const isManager =
    permissions.create &&
    includesLevel(data?.folders.find(({ path }) => path === (folder ?? ''))?.level, 'manage');
  const menuOf = (dashboard: DashboardSummary) => (
    <Menu
      label={t.actions.of(dashboard.title)}
      icon={<Ellipsis size={16} aria-hidden />}
      groups={() => [
        [
          {
            id: 'open',
            label: t.actions.open,
            icon: <ExternalLink size={15} aria-hidden />,
            onAction: () =>
              void navigate({ to: '/d/$dashboard', params: { dashboard: dashboard.id }, search: {} }),
          },
          ...actions.changesOf(dashboard),
        ],
        dashboard.state === 'ready' ? [actions.exportsOf(dashboard)] : [],
        [...actions.share(dashboard)],
        [...actions.remove(dashboard)],
      ]}
    />
  );
  const toolsOf = (dashboard: DashboardSummary) =>
    viewedAs === undefined ? (
      <>
        <Star id={dashboard.id} title={dashboard.title} isFavourite={favourites.includes(dashboard.id)} />
        {menuOf(dashboard)}
      </>
    ) : null;
  if (error) return <ErrorScreen error={error} />;
  const list = tables?.tables ?? [];
  const reading = list.filter(table => table.state === 'reading' || table.state === 'waiting').length;
  const failed = list.filter(table => table.state === 'rejected').length + (data?.skippedFiles.length ?? 0);
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HeaderTitle title={t.home.title}>
        <span className="truncate text-14 font-semibold">{t.home.title}</span>
        <span className="ms-auto flex gap-2">
          {permissions.data ? (
            <span className="max-sm:hidden">
              <Button onPress={chooseFiles}>{t.uploads.add}</Button>
            </span>
          ) : null}
          {permissions.create ? (
            <Button look="primary" onPress={() => setIsCreating(true)}>
              <Plus size={15} aria-hidden />
              {t.home.create}
            </Button>
          ) : null}
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
        {!data
          ? ' '
          : session && !isAtLeast(session.role, 'maker')
            ? saved.length > 0 && t.home.statusShared(saved.length)
            : tables
              ? t.home.status(saved.length, list.length, reading, failed)
              : ' '}
      </p>
      {permissions.explore && all.length > 0 ? <AskField /> : null}
      {data && session && all.length === 0 ? <EmptyWorkspace /> : null}
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
                  className={
                    'flex h-8 max-w-full items-center gap-1.5 rounded-control border border-border bg-surface ' +
                    'px-2.5 text-13 hover:border-border-strong pointer-coarse:h-11'
                  }
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
        <section aria-label={t.home.all} className="mt-6">
          <div className="flex items-end justify-between gap-4 pb-2">
            <div className="min-w-0">
              <h2 className="text-14 font-semibold">{saved.length > 0 ? t.home.saved : t.home.overviews}</h2>
              {saved.length === 0 ? <p className="text-12 text-text-3">{t.home.overviewsHint}</p> : null}
            </div>
            <div ref={searchPosition} className="w-56 shrink-0">
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
              {folder !== undefined && isManager ? (
                <Button look="quiet" onPress={() => setIsMoving(true)}>
                  {t.home.moveFolder}
                </Button>
              ) : null}
              {permissions.team && isManager ? (
                <ShareButton
                  key={folder}
                  shared={{ kind: 'folder', id: folder ?? '', label: folder ?? '' }}
                  label={folder === undefined ? t.sharing.all : t.sharing.folder}
                />
              ) : null}
            </div>
          ) : null}
          {cards.length > 0 ? (
            <ul className="grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1">
              {cards.map(dashboard => (
                <li key={dashboard.id}>
                  <Card dashboard={dashboard} tools={toolsOf(dashboard)} />
                </li>
              ))}
            </ul>
          ) : null}
          {rows.length > 0 || cards.length === 0 ? (
            <div
              className={`overflow-x-auto rounded-tile border border-border bg-surface ${cards.length > 0 ? 'mt-4' : ''}`}
              tabIndex={0}
              role="region"
              aria-label={t.home.list}
            >
              <table className="w-full text-13">
                <thead className="text-start text-12 text-text-2">
                  <tr className="border-b border-border">
                    <th className="h-9 px-3 font-medium">{t.home.name}</th>
                    <th className="px-3 font-medium max-sm:hidden">{t.home.folder}</th>
                    <th className="px-3 text-end font-medium max-sm:hidden">{t.home.tiles}</th>
                    <th className="px-3 font-medium max-md:hidden">{t.home.updated}</th>
                    <th className="w-10 px-3">
                      <span className="sr-only">{t.actions.more}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.slice(0, isAll ? undefined : firstRows).map(dashboard => (
                    <tr key={dashboard.id} className="border-b border-border last:border-0 hover:bg-hover">
                      <td className="h-9 max-w-80 px-3 font-medium">
                        <span className="flex min-w-0 items-center">
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
                            className="truncate hover:underline"
                          >
                            {dashboard.title}
                          </Link>
                          <Trouble dashboard={dashboard} />
                        </span>
                      </td>
                      <td className="px-3 text-text-2 max-sm:hidden">
                        {dashboard.folder || (dashboard.origin === 'overview' ? t.states.overview : '–')}
                      </td>
                      <td className="tabular px-3 text-end text-text-2 max-sm:hidden">
                        {dashboard.tiles || '–'}
                      </td>
                      <td className="px-3 text-text-2 max-md:hidden">
                        <Updated dashboard={dashboard} />
                      </td>
                      <td className="px-1.5">{viewedAs === undefined ? menuOf(dashboard) : null}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {rows.length === 0 ? <p className="p-4 text-text-2">{t.home.noMatch}</p> : null}
            </div>
          ) : null}
          {!isAll && rows.length > firstRows ? (
            <Button look="quiet" className="mt-1" onPress={() => setIsAll(true)}>
              {t.home.showAll(rows.length)}
            </Button>
          ) : null}
          {folded.length > 0 ? (
            <Button
              look="quiet"
              className="mt-1"
              aria-expanded={hasMore}
              onPress={() => setHasMore(!hasMore)}
            >
              {hasMore ? <ChevronUp size={15} aria-hidden /> : <ChevronDown size={15} aria-hidden />}
              {t.home.moreTables(folded.length)}
            </Button>
          ) : null}
          {saved.length > 0 && overviews.length > 0 ? (
            <p className="pt-2 text-12 text-text-3">{t.home.overviewsHint}</p>
          ) : null}
        </section>
      ) : null}
      {permissions.create ? <TrashLink /> : null}
      {actions.dialog}
    </div>
  );
}

/** Whether this is the overview of a table that has nothing to chart, as a code list. */
const showsOnlyRows = ({ origin, state, tiles }: DashboardSummary) =>
  origin === 'overview' && state === 'ready' && tiles === 1;

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

/** Why a dashboard cannot be looked at now; nothing for one that can. */
function Trouble({ dashboard: { state } }: { readonly dashboard: DashboardSummary }) {
  return state === 'ready' ? null : (
    <span className="ms-2 shrink-0">
      <StateChip tone={state === 'broken' ? 'bad' : 'warn'}>{t.states[state]}</StateChip>
    </span>
  );
}

/** How long ago its file was changed. */
function Updated({ dashboard: { updated } }: { readonly dashboard: DashboardSummary }) {
  const [now] = useState(() => new Date());
  if (!updated) return '–';
  const at = new Date(updated);
  return (
    <time
      dateTime={updated}
      title={new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(at)}
    >
      {relativeTime(at, now, locale)}
    </time>
  );
}

/** How to begin where there is no data: files, a database, or the sample's address. */
function EmptyWorkspace() {
  const { data: session } = useSession();
  const { data, administer } = usePermissions();
  if (session && !isAtLeast(session.role, 'maker'))
    return (
      <div className="mt-10 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center">
        <h2 className="text-15 font-semibold">{t.home.nothingSharedTitle}</h2>
        <p className="mx-auto mt-1 max-w-md text-text-2">{t.home.nothingSharedText}</p>
      </div>
    );
  return (
    <div className="mt-10 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center">
      <h2 className="text-15 font-semibold">{t.home.emptyTitle}</h2>
      <p className="mx-auto mt-1 max-w-md text-text-2">{t.home.emptyText}</p>
      {data ? (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          <Button look="primary" onPress={chooseFiles}>
            <FilePlus size={15} aria-hidden />
            {t.home.chooseFiles}
          </Button>
          {administer ? (
            <>
              <Link
                to="/data"
                search={{ connect: '' }}
                className={
                  'inline-flex h-[30px] items-center gap-1.5 rounded-control border border-border bg-surface ' +
                  'px-2.5 text-13 hover:bg-hover pointer-coarse:h-11'
                }
              >
                <Database size={15} aria-hidden />
                {t.sources.connect}
              </Link>
              <SampleButton />
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Adds the sample's data to the workspace. */
function SampleButton() {
  const [error, setError] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const add = async () => {
    setIsAdding(true);
    try {
      await client.addSample({});
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    } catch (problem) {
      setError(problemText(problem));
    }
    setIsAdding(false);
  };
  return (
    <>
      <Button isDisabled={isAdding} onPress={() => void add()}>
        {t.home.addSample}
      </Button>
      {error ? (
        <p role="alert" className="w-full text-bad">
          {error}
        </p>
      ) : null}
    </>
  );
}

/** The way to what is in the trash, if anything is. */
function TrashLink() {
  const { data } = useTrash();
  const count = data?.dashboards.length ?? 0;
  return count === 0 ? null : (
    <Link to="/trash" className="mt-6 inline-flex items-center gap-1.5 text-13 text-text-2 hover:underline">
      <Trash2 size={14} aria-hidden />
      {t.home.bin(count)}
    </Link>
  );
}

function Card({ dashboard, tools }: { readonly dashboard: DashboardSummary; readonly tools: ReactNode }) {
  const theme = useThemeName();
  const [isDrawn, setIsDrawn] = useState(true);
  return (
    <div className="overflow-hidden rounded-tile border border-border bg-surface hover:border-border-strong">
      <Link to="/d/$dashboard" params={{ dashboard: dashboard.id }} search={{}} className="block">
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
        <p className="truncate px-3 pt-2 font-medium">{dashboard.title}</p>
      </Link>
      <div className="flex h-9 items-center ps-3 pe-1 text-12 text-text-2 pointer-coarse:h-12">
        <span className="min-w-0 flex-1 truncate">
          {dashboard.state === 'ready' ? (
            (dashboard.description ??
            (dashboard.updated ? <Updated dashboard={dashboard} /> : t.states[dashboard.origin]))
          ) : (
            <StateChip tone={dashboard.state === 'broken' ? 'bad' : 'warn'}>
              {t.states[dashboard.state]}
            </StateChip>
          )}
        </span>
        {tools}
      </div>
    </div>
  );
}
