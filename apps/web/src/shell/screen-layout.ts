import { useRouterState, type RegisteredRouter, type RouteIds } from '@tanstack/react-router';

/**
 * How much of the shell a screen leaves. Editors need the room of the navigation; its menu button stays. Kiosk
 * mode shows a dashboard alone, each page as high as the screen, so that nothing has to be scrolled.
 */
export type ScreenLayout = 'standard' | 'editor' | 'kiosk';

type RouteId = RouteIds<RegisteredRouter['routeTree']>;

const editorRoutes: ReadonlySet<RouteId> = new Set<RouteId>([
  '/d/$dashboard/edit',
  '/models/$model',
  '/alerts/new',
  '/alerts/$alert/edit',
  '/sql/$source',
]);

/** The layout of the screen at a URL, by the routes that match it and its search. */
export function screenLayout(routes: readonly RouteId[], search: object): ScreenLayout {
  if (routes.some(route => editorRoutes.has(route))) return 'editor';
  return routes.includes('/d/$dashboard') && 'kiosk' in search ? 'kiosk' : 'standard';
}

export function useScreenLayout(): ScreenLayout {
  return useRouterState({
    select: ({ matches, location }) =>
      screenLayout(
        matches.map(({ routeId }) => routeId),
        location.search,
      ),
  });
}
