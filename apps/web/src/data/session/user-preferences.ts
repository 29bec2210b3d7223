import type { DashboardState, Me } from '@belvedere/api';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { viewedAs } from './view-as.ts';
import { client, queryClient } from '../server.ts';

const nothing: Me = { favourites: [], recent: [], views: [] };
// Other windows change it too, so each use fetches it again.
const mine = queryOptions({
  queryKey: ['mine'],
  queryFn: ({ signal }) => client.getMe({}, { signal }),
  staleTime: 0,
  enabled: viewedAs === undefined,
});

/**
 * The current user's favorites, recent dashboards with their last state, and views. Undefined while they
 * load.
 */
export function useMe(): Me | undefined {
  const { data, isPending } = useQuery(mine);
  return data ?? (isPending && viewedAs === undefined ? undefined : nothing);
}

/** A change is shown at once. Then the server's state is fetched, and replaces it if the change failed. */
async function change(next: (now: Me) => Me, tell: () => Promise<unknown>): Promise<void> {
  await queryClient.cancelQueries(mine);
  queryClient.setQueryData(mine.queryKey, now => now && next(now));
  try {
    await tell();
  } finally {
    await queryClient.invalidateQueries(mine);
  }
}

export function markFavourite(id: string, isFavourite: boolean): void {
  const marked = ({ favourites, ...rest }: Me) => ({
    ...rest,
    favourites: [...favourites.filter(other => other !== id), ...(isFavourite ? [id] : [])],
  });
  void change(marked, () => client.putFavourite({ params: { id }, body: { isFavourite } })).catch(() => {});
}

/** A dashboard was opened. */
export function recordVisit(id: string): void {
  if (viewedAs === undefined) void client.putRecent({ params: { id }, body: {} }).catch(() => {});
}

/** Records the state in which a dashboard is left; nothing if it is unchanged. Selections are not kept. */
export function recordState(id: string, { filters, parameters, compare }: DashboardState): void {
  const isSet = Object.keys(filters).length > 0 || parameters !== undefined || compare !== undefined;
  const state = {
    page: 0,
    filters,
    selections: {},
    ...(parameters && { parameters }),
    ...(compare && { compare }),
  };
  if (viewedAs === undefined)
    void client
      .putRecent({ params: { id }, body: { state: isSet ? state : null } }, { keepalive: true })
      .catch(() => {});
}

export function saveView(dashboard: string, name: string, state: DashboardState): Promise<void> {
  const view = { dashboard, name, state, at: new Date().toISOString() };
  return change(
    ({ views, ...rest }) => ({
      ...rest,
      views: [...views.filter(other => other.dashboard !== dashboard || other.name !== name), view],
    }),
    () => client.putView({ params: { id: dashboard, name }, body: { state } }),
  );
}

export function removeView(dashboard: string, name: string): void {
  void change(
    ({ views, ...rest }) => ({
      ...rest,
      views: views.filter(other => other.dashboard !== dashboard || other.name !== name),
    }),
    () => client.removeView({ params: { id: dashboard, name } }),
  ).catch(() => {});
}
