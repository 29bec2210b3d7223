import { includesLevel, type DashboardList } from '@belvedere/api';
import { Button, SearchField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useDashboards, useFoundDashboards, useSession, useTrash } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { useMe } from '../../data/session/user-preferences.ts';
import { useKeys } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { AskField } from './ask/AskField.tsx';
import { DashboardCard } from './list/DashboardCard.tsx';
import { DashboardTable } from './list/DashboardTable.tsx';
import { EmptyWorkspace } from './EmptyWorkspace.tsx';
import { FolderChoices } from './folders/FolderChoices.tsx';
import { filtersFor, tagsOf, type HomeFilter } from './list/home-filters.ts';
import { foldersOf, homeList, isSelected } from './list/home-list.ts';
import { HomeHeader } from './HomeHeader.tsx';
import { HomeStatus } from './HomeStatus.tsx';
import { SavedViewLinks } from './list/SavedViewLinks.tsx';
import { ShownDashboards } from './list/ShownDashboards.tsx';
import { useDashboardTools } from './list/use-dashboard-tools.tsx';

/** The number of rows before *Show more*. */
const firstRows = 100;

/** The dashboards of the workspace, their states, and problems that need attention. */
export function HomeScreen() {
  const { data: listed, error } = useDashboards();
  const mine = useMe();
  // Waits for favorites, which come first, so that the order does not change.
  const list = mine && listed;
  const { data: session } = useSession();
  const permissions = usePermissions();
  if (error) return <ErrorScreen error={error} />;
  const isEmpty = list?.dashboards.length === 0;
  const { views = [] } = mine ?? {};
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HomeHeader />
      <h1 className="text-20 font-semibold tracking-[-0.01em]">
        {session ? t.home.greeting(session.workspace.title) : ' '}
      </h1>
      <HomeStatus list={list} />
      {permissions.explore && list && !isEmpty ? <AskField /> : null}
      {session && isEmpty ? <EmptyWorkspace /> : null}
      {views.length > 0 ? <SavedViewLinks views={views} dashboards={list?.dashboards ?? []} /> : null}
      {list && !isEmpty ? <Dashboards list={list} /> : null}
      {permissions.create ? <TrashLink /> : null}
    </div>
  );
}

/** The workspace's dashboards as cards and a table, with a search and filters. */
function Dashboards({ list }: { readonly list: DashboardList }) {
  const { dashboards: all } = list;
  const mine = useMe();
  const { data: session } = useSession();
  const permissions = usePermissions();
  const [search, setSearch] = useState('');
  const [folder, setFolder] = useState<string>();
  const [filter, setFilter] = useState<HomeFilter>();
  const [tag, setTag] = useState<string>();
  const [isAll, setIsAll] = useState(false);
  const [hasMore, setHasMore] = useState(false);
  const searchPosition = useSearchKey();
  const { favourites, recent } = mine ?? { favourites: [], recent: [] };
  const { menuOf, toolsOf, dialog } = useDashboardTools(favourites);
  const wanted = useDeferredValue(search.trim());
  const { data: matching } = useFoundDashboards(wanted);
  const viewer = { userId: session?.user.id ?? '', favourites };
  const filters = filtersFor(all, viewer);
  // A filter that is no longer offered, such as *Favorites* without any, filters nothing.
  const chosen = filters.some(([name]) => name === filter) ? filter : undefined;
  const tags = useMemo(() => tagsOf(all), [all]);
  const chosenTag = tags.some(([name]) => name === tag) ? tag : undefined;
  const folders = useMemo(() => foldersOf(all), [all]);
  const isWhole = wanted === '' && folder === undefined && chosen === undefined && chosenTag === undefined;
  const found = (wanted === '' ? all : (matching?.dashboards ?? [])).filter(dashboard =>
    isSelected(dashboard, { folder, filter: chosen, tag: chosenTag }, viewer),
  );
  const { cards, others, folded } = homeList(all, isWhole ? undefined : found, {
    favourites,
    recent: recent.map(({ dashboard }) => dashboard),
  });
  const rows = hasMore ? others : others.filter(one => !folded.includes(one));
  const hasSaved = all.some(({ origin }) => origin === 'saved');
  const isManager =
    permissions.create &&
    includesLevel(list.folders.find(({ path }) => path === (folder ?? ''))?.level, 'manage');
  return (
    <section aria-label={t.home.all} className="mt-6">
      <div className="flex items-end justify-between gap-x-4 gap-y-2 pb-2 max-sm:flex-wrap">
        <div className="min-w-0 max-sm:w-full">
          <h2 className="text-14 font-semibold">{hasSaved ? t.home.saved : t.home.overviews}</h2>
          {hasSaved ? null : <p className="text-12 text-text-3">{t.home.overviewsHint}</p>}
        </div>
        <div ref={searchPosition} className="w-56 shrink-0 max-sm:w-full">
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
        <FolderChoices folders={folders} folder={folder} isManager={isManager} onFolder={setFolder} />
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
        <Button look="quiet" className="mt-1" aria-expanded={hasMore} onPress={() => setHasMore(!hasMore)}>
          {hasMore ? <ChevronUp size={15} aria-hidden /> : <ChevronDown size={15} aria-hidden />}
          {t.home.moreTables(folded.length)}
        </Button>
      ) : null}
      {hasSaved && rows.some(({ origin }) => origin === 'overview') ? (
        <p className="pt-2 text-12 text-text-3">{t.home.overviewsHint}</p>
      ) : null}
      {dialog}
    </section>
  );
}

/** The position of the search field, which a key focuses. */
function useSearchKey() {
  const position = useRef<HTMLDivElement>(null);
  useKeys(
    t.home.title,
    useMemo(
      () => [
        {
          press: '[Shift]+/',
          label: t.home.search,
          does: () => position.current?.querySelector('input')?.focus(),
        },
      ],
      [],
    ),
  );
  return position;
}

/** A link to the trash, unless it is empty. */
function TrashLink() {
  const { data } = useTrash();
  const count = data?.documents.length ?? 0;
  return count === 0 ? null : (
    <Link to="/trash" className="mt-6 inline-flex items-center gap-1.5 text-13 text-text-2 hover:underline">
      <Trash2 size={14} aria-hidden />
      {t.home.trash(count)}
    </Link>
  );
}
