import { Button, LazyBoundary, lazyComponent, IconButton, missingChunks, Modal } from '@belvedere/ui';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  Bell,
  Database,
  Eye,
  House,
  Menu,
  Moon,
  Search,
  Settings,
  SquareTerminal,
  Sun,
  Hourglass,
  Inbox,
  CalendarClock,
  Compass,
  WifiOff,
} from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { switchTheme, useThemeName, useWorkspaceTheme } from '../dashboard/chart/use-theme.ts';
import { problemText } from '../data/problem-text.ts';
import { viewAs, viewedAs } from '../data/view-as.ts';
import { useConnection } from '../data/connection.ts';
import { useIsLimited } from '../data/retry-limited.ts';
import { useDashboards, useSession } from '../data/server.ts';
import { requestedPassword } from '../data/sign-in-state.ts';
import { usePermissions } from '../data/use-permissions.ts';
import { useKeys } from '../keys/keys.ts';
import { t } from '../messages/messages.ts';
import { LazyExportDialog } from '../downloads/LazyExportDialog.tsx';
import { DownloadToasts } from '../downloads/DownloadToasts.tsx';
import { DropFiles } from '../uploads/DropFiles.tsx';
import { useAccessRequests } from '../data/access-requests.ts';
import { useAlerts } from '../alerts/alert-data.ts';
import { useInbox } from '../comments/comment-data.ts';
import { Count } from '../comments/CommentsButton.tsx';
import { lazyWithWords } from '../accounts/lazy-with-words.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { HeaderSlot } from './HeaderTitle.tsx';
import { LazyPalette } from './LazyPalette.tsx';
import { PaletteContext } from './palette-context.ts';
import { useSignInAgain } from './use-sign-in-again.ts';

const KeysDialog = lazyComponent(() => import('../keys/KeysDialog.tsx').then(module => module.KeysDialog));
// Fetched when it may be needed soon: its button is pointed at or has the focus, or the first of its keys is
// held.
const CommandPalette = lazyComponent(() =>
  import('./CommandPalette.tsx').then(module => module.CommandPalette),
);
const SignInAgainDialog = lazyWithWords(() =>
  import('../accounts/sign-in/SignInAgainDialog.tsx').then(module => module.SignInAgainDialog),
);
const ConfirmPasswordDialog = lazyWithWords(() =>
  import('../accounts/sign-in/ConfirmPasswordDialog.tsx').then(module => module.ConfirmPasswordDialog),
);
const navigationSetting = 'belvedere-navigation';

/** The frame of every screen: navigation, header, palette, shortcuts and the state of the connection. */
export function Shell() {
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const [typedAhead, setTypedAhead] = useState('');
  const [isEnteredAhead, setIsEnteredAhead] = useState(false);
  const turnPalette = useCallback((isOpen: boolean) => {
    setIsPaletteOpen(isOpen);
    if (isOpen) return;
    setTypedAhead('');
    setIsEnteredAhead(false);
  }, []);
  const closePalette = useCallback(() => turnPalette(false), [turnPalette]);
  const openPalette = useCallback((text: string) => {
    setTypedAhead(text);
    setIsPaletteOpen(true);
  }, []);
  const [areKeysListed, setAreKeysListed] = useState(false);
  const [isNavigationHidden, setIsNavigationHidden] = useState(
    () => localStorage.getItem(navigationSetting) === 'hidden',
  );
  /** The page on which the phone's menu was opened: going to another closes it. */
  const [menuOn, setMenuOn] = useState<string>();
  const [titlePlace] = useState(makeTitlePlace);
  const keepTitle = useCallback((header: HTMLElement | null) => header?.append(titlePlace), [titlePlace]);
  const theme = useThemeName();
  const connection = useConnection();
  const isLimited = useIsLimited();
  const { data: session, error } = useSession();
  useWorkspaceTheme(useDashboards().data?.look);
  const path = useRouterState({ select: state => state.location.pathname });
  // Editors need the room; the menu's button stays.
  const isEditing = useRouterState({
    select: state =>
      state.matches.some(
        match =>
          match.routeId === '/d/$dashboard/edit' ||
          match.routeId === '/models/$model' ||
          match.routeId === '/alerts/new' ||
          match.routeId === '/alerts/$alert/edit' ||
          match.routeId === '/sql/$source',
      ),
  });

  // Kiosk mode shows the dashboard alone, each page as high as the screen, so that nothing has to be scrolled.
  const isKiosk = useRouterState({
    select: state =>
      state.matches.some(match => match.routeId === '/d/$dashboard') && 'kiosk' in state.location.search,
  });
  // The palette stays mounted once it was opened. Most users never open it, so it loads then.
  const [hasPalette, setHasPalette] = useState(false);
  const bringPalette = useCallback(() => setHasPalette(true), []);
  useEffect(() => {
    const hear = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') setHasPalette(true);
    };
    window.addEventListener('keydown', hear, { capture: true });
    return () => window.removeEventListener('keydown', hear, { capture: true });
  }, []);

  const permissions = usePermissions();
  const signsInAgain = useSignInAgain(session, isEditing);
  const onPassword = useSyncExternalStore(requestedPassword.subscribe, requestedPassword.get);

  const isLacking = useSyncExternalStore(missingChunks.subscribe, missingChunks.isLacking);

  const content = useRef<HTMLElement>(null);
  // The fragment of the URL may hold a state, so the link has none.
  const skip = useCallback((event: React.MouseEvent) => {
    event.preventDefault();
    content.current?.focus();
  }, []);

  const navigate = useNavigate();
  // Some keyboards need Alt to type certain characters.
  useKeys(
    t.keys.everywhere,
    useMemo(
      () => [
        { press: '$mod+k', label: t.keys.go, isHeardInFields: true, does: () => setIsPaletteOpen(true) },
        { press: '[Shift]+?', label: t.keys.list, does: () => setAreKeysListed(true) },
        { press: 'g h', label: t.palette.toHome, does: () => void navigate({ to: '/' }) },
        ...(permissions.explore
          ? [{ press: 'g e', label: t.palette.toExplore, does: () => void navigate({ to: '/explore' }) }]
          : []),
        { press: 'g a', label: t.palette.toAlerts, does: () => void navigate({ to: '/alerts' }) },
        ...(permissions.data
          ? [{ press: 'g s', label: t.palette.toData, does: () => void navigate({ to: '/data' }) }]
          : []),
        {
          press: '[Control]+[Alt]+[',
          label: t.keys.navigation,
          does: () => setIsNavigationHidden(isHidden => !isHidden),
        },
        { press: '$mod+[Alt]+\\', label: t.header.theme, isHeardInFields: true, does: switchTheme },
      ],
      [navigate, permissions.data, permissions.explore],
    ),
  );
  useEffect(() => {
    if (isNavigationHidden) localStorage.setItem(navigationSetting, 'hidden');
    else localStorage.removeItem(navigationSetting);
  }, [isNavigationHidden]);

  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        onClick={skip}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-accent focus:px-3 focus:py-1 focus:text-on-accent"
      >
        {t.header.skip}
      </a>
      <nav
        aria-label={t.nav.label}
        className="no-print sticky top-0 flex h-dvh w-[200px] shrink-0 flex-col [&[hidden]]:hidden overflow-y-auto border-e border-border bg-surface px-2 py-3 max-[760px]:hidden"
        hidden={isEditing || isNavigationHidden || isKiosk}
      >
        <Navigation />
      </nav>
      <div className="flex min-w-0 flex-1 flex-col">
        <header
          className="no-print sticky top-0 z-40 flex h-12 items-center gap-2 border-b border-border bg-surface px-5 max-[760px]:px-3 [&[hidden]]:hidden"
          hidden={isKiosk}
        >
          <span className={isEditing || isNavigationHidden ? '' : 'min-[761px]:hidden'}>
            <IconButton label={t.nav.menu} onPress={() => setMenuOn(path)}>
              <Menu size={17} aria-hidden />
            </IconButton>
          </span>
          <div ref={keepTitle} className="contents" />
          <button
            type="button"
            onClick={() => setIsPaletteOpen(true)}
            onPointerEnter={bringPalette}
            onFocus={bringPalette}
            className={`flex h-[30px] ${isEditing ? 'w-auto' : 'w-44'} items-center gap-2 rounded-control border border-border bg-canvas px-2.5 text-13 text-text-2 hover:border-border-strong max-sm:w-auto pointer-coarse:h-11 ${isEditing ? 'max-sm:hidden' : ''}`}
          >
            <Search size={15} aria-hidden />
            <span className={isEditing ? 'sr-only' : 'max-sm:sr-only'}>{t.header.search}</span>
            <kbd
              className={`ms-auto font-sans text-11 text-text-3 max-sm:hidden ${isEditing ? 'hidden' : ''}`}
            >
              {navigator.platform.startsWith('Mac') ? '⌘K' : `${t.keys.signs.control} K`}
            </kbd>
          </button>
          <IconButton
            label={t.header.theme}
            onPress={switchTheme}
            className={isEditing ? 'max-sm:hidden' : ''}
          >
            {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          </IconButton>
        </header>
        {viewedAs === undefined ? null : (
          <p
            role="status"
            className="no-print flex flex-wrap items-center gap-x-3 gap-y-1 bg-accent-weak px-5 py-1.5 text-13 text-accent-text max-[760px]:px-3"
          >
            <Eye size={15} aria-hidden />
            <span className="min-w-0">{error ? problemText(error) : t.viewAs.now(viewedAs)}</span>
            <Button look="quiet" onPress={() => viewAs(undefined)}>
              {t.viewAs.back}
            </Button>
          </p>
        )}
        {connection === 'live' || (connection === 'signed-out' && session?.mode === 'team') ? null : (
          <p
            role="status"
            className="flex items-center gap-2 bg-warn-weak px-5 py-1.5 text-13 text-warn max-[760px]:px-3"
          >
            <WifiOff size={15} aria-hidden className="shrink-0" />
            {connection === 'signed-out' ? t.connection.signedOut : t.connection.lost}
          </p>
        )}
        {isLimited && connection === 'live' ? (
          <p
            role="status"
            className="no-print flex items-center gap-2 bg-warn-weak px-5 py-1.5 text-13 text-warn max-[760px]:px-3"
          >
            <Hourglass size={15} aria-hidden className="shrink-0" />
            {t.connection.limited}
          </p>
        ) : null}
        {isLacking && connection === 'live' ? (
          <p
            role="alert"
            className="no-print flex flex-wrap items-center gap-x-3 gap-y-1 bg-warn-weak px-5 py-1.5 text-13 text-warn max-[760px]:px-3"
          >
            <span className="min-w-0">{t.connection.partFailed}</span>
            <Button look="quiet" onPress={() => location.reload()}>
              {t.errors.reload}
            </Button>
          </p>
        ) : null}
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className={`flex-1 px-5 outline-none max-[760px]:px-3 ${isKiosk ? 'max-md:pb-3 md:flex md:h-dvh md:flex-none md:flex-col' : 'pb-10'}`}
        >
          <HeaderSlot value={titlePlace}>
            <Suspense fallback={null}>
              <PaletteContext value={openPalette}>
                <Outlet />
              </PaletteContext>
            </Suspense>
          </HeaderSlot>
        </main>
      </div>
      <Modal
        label={t.nav.menu}
        isOpen={menuOn === path}
        onOpenChange={isOpen => setMenuOn(isOpen ? path : undefined)}
        isDrawer
      >
        <nav aria-label={t.nav.label} className="p-3">
          <Navigation />
        </nav>
      </Modal>
      <DownloadToasts />
      <LazyExportDialog />
      {permissions.data ? <DropFiles /> : null}
      {hasPalette || isPaletteOpen ? (
        <LazyBoundary
          onLacking={() => turnPalette(false)}
          fallback={
            isPaletteOpen ? (
              <LazyPalette
                typed={typedAhead}
                onType={setTypedAhead}
                onEnter={setIsEnteredAhead}
                onClose={closePalette}
              />
            ) : null
          }
        >
          <CommandPalette
            isOpen={isPaletteOpen}
            begun={typedAhead}
            isEntered={isEnteredAhead}
            onOpenChange={turnPalette}
            onKeys={() => setAreKeysListed(true)}
          />
        </LazyBoundary>
      ) : null}
      {signsInAgain && session ? (
        <LazyBoundary fallback={null}>
          <SignInAgainDialog user={session.user} />
        </LazyBoundary>
      ) : null}
      {onPassword ? (
        <LazyBoundary fallback={null}>
          <ConfirmPasswordDialog onDone={onPassword} />
        </LazyBoundary>
      ) : null}
      {areKeysListed ? (
        <LazyBoundary fallback={null}>
          <KeysDialog onClose={() => setAreKeysListed(false)} />
        </LazyBoundary>
      ) : null}
    </div>
  );
}

/**
 * Made before the header is: a screen's title is in the first picture, and nothing is rendered twice for it.
 */
function makeTitlePlace(): HTMLElement {
  const position = document.createElement('div');
  position.className = 'flex min-w-0 flex-1 items-center gap-2';
  return position;
}

const item =
  'flex h-8 items-center gap-2.5 rounded-control px-2.5 text-13 text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11';
const active = { className: 'bg-accent-weak font-medium text-accent-text' };

function Navigation() {
  const { data } = useDashboards();
  const { data: session } = useSession();
  const { data: inbox } = useInbox();
  const { data: alerts } = useAlerts();
  const firing = alerts?.alerts.filter(({ state }) => state === 'firing').length ?? 0;
  const requests = useAccessRequests().data?.requests.length ?? 0;
  const unread = (inbox?.unread ?? 0) + requests;
  const permissions = usePermissions();
  const title = session?.workspace.title;
  const saved = (data?.dashboards ?? []).filter(dashboard => dashboard.origin === 'saved').slice(0, 12);
  return (
    <>
      <p className="truncate px-2.5 pb-3 text-15 font-semibold tracking-[-0.01em]" title={title ?? t.product}>
        {t.product}
      </p>
      <Link to="/" className={item} activeProps={active} activeOptions={{ exact: true }}>
        <House size={16} strokeWidth={1.75} aria-hidden />
        {t.nav.home}
      </Link>
      {inbox ? (
        <Link to="/inbox" className={item} activeProps={active}>
          <Inbox size={16} strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{t.comments.inbox(unread)}</span>
          <span aria-hidden className="flex-1">
            {t.nav.inbox}
          </span>
          {unread > 0 ? <Count count={unread} /> : null}
        </Link>
      ) : null}
      {permissions.explore ? (
        <Link to="/explore" className={item} activeProps={active} activeOptions={{ includeSearch: false }}>
          <Compass size={16} strokeWidth={1.75} aria-hidden />
          {t.data.explore}
        </Link>
      ) : null}
      {alerts ? (
        <Link to="/alerts" className={item} activeProps={active}>
          <Bell size={16} strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{t.alerts.nav(firing)}</span>
          <span aria-hidden className="flex-1">
            {t.nav.alerts}
          </span>
          {firing > 0 ? <Count count={firing} /> : null}
        </Link>
      ) : null}
      {viewedAs === undefined ? (
        <Link to="/reports" className={item} activeProps={active}>
          <CalendarClock size={16} strokeWidth={1.75} aria-hidden />
          {t.nav.reports}
        </Link>
      ) : null}
      {permissions.data ? (
        <Link to="/data" className={item} activeProps={active}>
          <Database size={16} strokeWidth={1.75} aria-hidden />
          {t.nav.data}
        </Link>
      ) : null}
      {permissions.data ? (
        <Link
          to="/sql/$source"
          params={{ source: 'files' }}
          search={{}}
          className={item}
          activeProps={active}
          activeOptions={{ includeSearch: false }}
        >
          <SquareTerminal size={16} strokeWidth={1.75} aria-hidden />
          {t.nav.sql}
        </Link>
      ) : null}
      {saved.length > 0 ? <p className="px-2.5 pt-5 pb-1 text-12 text-text-3">{t.nav.pinned}</p> : null}
      {saved.map(dashboard => (
        <Link
          key={dashboard.id}
          to="/d/$dashboard"
          params={{ dashboard: dashboard.id }}
          search={{}}
          className={item}
          activeProps={active}
          activeOptions={{ includeSearch: false }}
        >
          <span className="truncate">{dashboard.title}</span>
        </Link>
      ))}
      <span className="min-h-3 flex-1" aria-hidden />
      <Link to="/settings" className={item} activeProps={active}>
        <Settings size={16} strokeWidth={1.75} aria-hidden />
        {t.nav.settings}
      </Link>
      {session?.mode === 'team' ? <AccountMenu user={session.user} /> : null}
    </>
  );
}
