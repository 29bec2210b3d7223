import { includesLevel, isAtLeast, searchFromState, type DashboardSummary } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, Menu, SearchField } from '@belvedere/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bookmark, ChevronDown, ChevronUp, Ellipsis, ExternalLink, Folder, Plus, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useDashboardActions } from '../../dashboard/actions/use-dashboard-actions.tsx';
import { useMe } from '../../data/user-preferences.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import { viewedAs } from '../../data/view-as.ts';
import { useDashboards, useFoundDashboards, useSession, useTables, useTrash } from '../../data/server.ts';
import { useKeys } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { chooseFiles } from '../../uploads/offered-files.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { AskField } from './AskField.tsx';
import { DashboardCard } from './DashboardCard.tsx';
import { DashboardTable } from './DashboardTable.tsx';
import { EmptyWorkspace } from './EmptyWorkspace.tsx';
import { FavouriteStar } from './FavouriteStar.tsx';
import { filtersFor, hasTag, keeps, tagsOf, type HomeFilter } from './home-filters.ts';
import { Choice, ShownDashboards } from './ShownDashboards.tsx';

const MoveFolderDialog = lazyComponent(() =>
  import('./MoveFolderDialog.tsx').then(module => module.MoveFolderDialog),
);
const NewDashboardDialog = lazyComponent(() =>
  import('./NewDashboardDialog.tsx').then(module => module.NewDashboardDialog),
);

const none: readonly DashboardSummary[] = [];
/** The number of rows before *Show more*. */
const firstRows = 100;
/** The number of dashboards with thumbnails. */
const mostCards = 8;

/** The dashboards of the workspace, their states, and problems that need attention. */
export function HomeScreen() {
  const { data: listed, error } = useDashboards();
  const mine = useMe();
  // Waits for favorites, which come first, so that the order does not change.
  const data = mine && listed;
  const { data: tables } = useTables();
  const { data: session } = useSession();
  const permissions = usePermissions();
  const [search, setSearch] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const [folder, setFolder] = useState<string>();
  const [filter, setFilter] = useState<HomeFilter>();
  const [tag, setTag] = useState<string>();
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
  const viewer = { userId: session?.user.id ?? '', favourites };
  const filters = filtersFor(all, viewer);
  // A filter that is no longer offered, such as *Favorites* without any, filters nothing.
  const chosen = filters.some(([name]) => name === filter) ? filter : undefined;
  const tags = useMemo(() => tagsOf(all), [all]);
  const chosenTag = tags.some(([name]) => name === tag) ? tag : undefined;
  const found = (wanted === '' ? all : (matching?.dashboards ?? [])).filter(
    dashboard =>
      (folder === undefined || dashboard.folder === folder || dashboard.folder.startsWith(`${folder}/`)) &&
      (chosen === undefined || keeps(chosen, dashboard, viewer)) &&
      (chosenTag === undefined || hasTag(dashboard, chosenTag)),
  );
  const saved = all.filter(dashboard => dashboard.origin === 'saved');
  const folders = useMemo(() => foldersOf(all), [all]);
  // Favorites first, then recent ones, then the others.
  const rank = ({ id }: DashboardSummary) =>
    favourites.includes(id)
      ? favourites.indexOf(id) - 1000
      : recent.some(one => one.dashboard === id)
        ? recent.findIndex(one => one.dashboard === id)
        : 1000;
  const isFolded = (dashboard: DashboardSummary) =>
    isLookup(dashboard) && !favourites.includes(dashboard.id) && !all.every(isLookup);
  const featured = (saved.length > 0 ? saved : all)
    .filter(dashboard => !isFolded(dashboard))
    .toSorted((one, other) => rank(one) - rank(other));
  // A dashboard is listed once: as a card, or in the table.
  const isWhole = wanted === '' && folder === undefined && chosen === undefined && chosenTag === undefined;
  const cards = isWhole ? featured.slice(0, mostCards) : [];
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
        [...actions.share(dashboard), ...actions.record(dashboard)],
        [...actions.remove(dashboard)],
      ]}
    />
  );
  const toolsOf = (dashboard: DashboardSummary) =>
    viewedAs === undefined ? (
      <>
        <FavouriteStar
          id={dashboard.id}
          title={dashboard.title}
          isFavourite={favourites.includes(dashboard.id)}
        />
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
          <ShownDashboards
            filters={filters}
            filter={chosen}
            onFilter={setFilter}
            tags={tags}
            tag={chosenTag}
            onTag={setTag}
          />
          {folders.length > 0 ? (
            <div role="group" aria-label={t.home.folder} className="flex flex-wrap gap-1.5 pb-2">
              <Choice isChosen={folder === undefined} onPress={() => setFolder(undefined)}>
                {t.home.allFolders}
              </Choice>
              {folders.map(([name, count]) => (
                <Choice
                  key={name}
                  isChosen={folder === name}
                  count={count}
                  onPress={() => setFolder(folder === name ? undefined : name)}
                >
                  <Folder size={14} aria-hidden />
                  {name}
                </Choice>
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
                  <DashboardCard dashboard={dashboard} tools={toolsOf(dashboard)} />
                </li>
              ))}
            </ul>
          ) : null}
          {rows.length > 0 || cards.length === 0 ? (
            <DashboardTable
              rows={rows.slice(0, isAll ? undefined : firstRows)}
              favourites={favourites}
              menuOf={menuOf}
              className={cards.length > 0 ? 'mt-4' : ''}
              empty={wanted === '' ? t.home.noneHere : t.home.noMatch}
              hasRecords={session?.mode === 'team'}
            />
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
          {saved.length > 0 && listedRows.some(({ origin }) => origin === 'overview') ? (
            <p className="pt-2 text-12 text-text-3">{t.home.overviewsHint}</p>
          ) : null}
        </section>
      ) : null}
      {permissions.create ? <TrashLink /> : null}
      {actions.dialog}
    </div>
  );
}

/** Whether this is the overview of a table that only describes or connects others, as a code list. */
const isLookup = (dashboard: DashboardSummary) => dashboard.isLookup === true;

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

/** A link to the trash, unless it is empty. */
function TrashLink() {
  const { data } = useTrash();
  const count = data?.dashboards.length ?? 0;
  return count === 0 ? null : (
    <Link to="/trash" className="mt-6 inline-flex items-center gap-1.5 text-13 text-text-2 hover:underline">
      <Trash2 size={14} aria-hidden />
      {t.home.trash(count)}
    </Link>
  );
}
