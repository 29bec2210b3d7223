import { LazyBoundary, lazyComponent, Modal } from '@belvedere/ui';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useRef, useState, type MouseEvent } from 'react';
import { useWorkspaceTheme } from '../dashboard/chart/use-theme.ts';
import { useDashboards } from '../data/server.ts';
import { usePermissions } from '../data/session/use-permissions.ts';
import { DownloadToasts } from '../downloads/DownloadToasts.tsx';
import { LazyExportDialog } from '../downloads/LazyExportDialog.tsx';
import { LazyViewAsDialog } from '../view-as/LazyViewAsDialog.tsx';
import { t } from '../messages/messages.ts';
import { DropFiles } from '../uploads/DropFiles.tsx';
import { HeaderSlot, useHeaderSlot } from './HeaderTitle.tsx';
import { LazyPalette } from './palette/LazyPalette.tsx';
import { Navigation } from './Navigation.tsx';
import { PaletteContext } from './palette/palette-context.ts';
import { useScreenLayout } from './screen-layout.ts';
import { SessionDialogs } from './SessionDialogs.tsx';
import { ShellBanners } from './ShellBanners.tsx';
import { ShellHeader } from './ShellHeader.tsx';
import { useNavigationVisibility } from './use-navigation-visibility.ts';
import { usePalette } from './palette/use-palette.ts';
import { useShellKeys } from './use-shell-keys.ts';

const KeysDialog = lazyComponent(() => import('../keys/KeysDialog.tsx').then(module => module.KeysDialog));

/** The frame of every screen: navigation, header, palette, shortcuts and the state of the connection. */
export function Shell() {
  const layout = useScreenLayout();
  const [isNavigationHidden, toggleNavigation] = useNavigationVisibility();
  const [slot, attachSlot] = useHeaderSlot();
  const [palette, paletteActions] = usePalette();
  const [areKeysListed, setAreKeysListed] = useState(false);
  const openKeyList = useCallback(() => setAreKeysListed(true), []);
  const path = useRouterState({ select: state => state.location.pathname });
  /** The page on which the phone's menu was opened: going to another closes it. */
  const [menuOn, setMenuOn] = useState<string>();
  const content = useRef<HTMLElement>(null);
  const permissions = usePermissions();
  useWorkspaceTheme(useDashboards().data?.look);
  useShellKeys({ openPalette: paletteActions.open, openKeyList, toggleNavigation });

  return (
    <div className="flex min-h-dvh">
      <SkipLink onSkip={() => content.current?.focus()} />
      <nav
        aria-label={t.nav.label}
        className={
          'no-print sticky top-0 flex h-dvh w-[200px] shrink-0 flex-col overflow-y-auto border-e border-border ' +
          'bg-surface px-2 py-3 max-[760px]:hidden [&[hidden]]:hidden'
        }
        hidden={layout !== 'standard' || isNavigationHidden}
      >
        <Navigation />
      </nav>
      <div className="flex min-w-0 flex-1 flex-col">
        <ShellHeader
          layout={layout}
          isNavigationHidden={isNavigationHidden}
          attachSlot={attachSlot}
          palette={paletteActions}
          onMenu={() => setMenuOn(path)}
        />
        <ShellBanners />
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className={`flex-1 px-5 outline-none max-[760px]:px-3 ${
            layout === 'kiosk' ? 'max-md:pb-3 md:flex md:h-dvh md:flex-none md:flex-col' : 'pb-10'
          }`}
        >
          <HeaderSlot value={slot}>
            <Suspense fallback={null}>
              <PaletteContext value={paletteActions.open}>
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
      <LazyViewAsDialog />
      {permissions.data ? <DropFiles /> : null}
      <LazyPalette state={palette} actions={paletteActions} onKeys={openKeyList} />
      <SessionDialogs isEditing={layout === 'editor'} />
      {areKeysListed ? (
        <LazyBoundary fallback={null}>
          <KeysDialog onClose={() => setAreKeysListed(false)} />
        </LazyBoundary>
      ) : null}
    </div>
  );
}

/** Moves the focus past the navigation. The URL's fragment may hold a state, so the link does not change it. */
function SkipLink({ onSkip }: { readonly onSkip: () => void }) {
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    onSkip();
  };
  return (
    <a
      href="#content"
      onClick={skip}
      className={
        'sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-accent ' +
        'focus:px-3 focus:py-1 focus:text-on-accent'
      }
    >
      {t.header.skip}
    </a>
  );
}
