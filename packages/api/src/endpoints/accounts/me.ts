import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { DashboardState } from '../../address/state.ts';
import { dashboardParams } from '../dashboards/dashboard-params.ts';

/** A named state of a dashboard. */
export const SavedView = z.object({
  dashboard: z.string(),
  name: z.string(),
  state: DashboardState,
  at: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

/** Per-user data: favourites, recent dashboards with their states, saved views. */
export const Me = z.object({
  favourites: z.array(z.string()),
  /** Most recent first; `state` holds the changes made there, if any. */
  recent: z.array(z.object({ dashboard: z.string(), state: DashboardState.optional() })),
  views: z.array(SavedView),
});
export type Me = z.infer<typeof Me>;

const viewParams = dashboardParams.extend({ name: z.string().trim().min(1).max(200) });

/** What a user keeps for themselves. */
export const meEndpoints = {
  getMe: endpoint({
    ...routes.getMe,
    access: { on: 'self' },
    summary: 'Get the user’s favourites, recent dashboards and saved views',
    response: Me,
  }),
  putFavourite: endpoint({
    ...routes.putFavourite,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Add a dashboard to the favourites, or remove it',
    params: dashboardParams,
    body: z.strictObject({ isFavourite: z.boolean() }),
    response: z.object({}),
  }),
  putRecent: endpoint({
    ...routes.putRecent,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Record that a dashboard was viewed; with `state`, the state it was left in (null: the default)',
    params: dashboardParams,
    body: z.strictObject({ state: DashboardState.nullable().optional() }),
    response: z.object({}),
  }),
  putView: endpoint({
    ...routes.putView,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Save a view: a state of a dashboard under a name; replaces a view of the same name',
    params: viewParams,
    body: z.strictObject({ state: DashboardState }),
    response: SavedView,
  }),
  removeView: endpoint({
    ...routes.removeView,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Delete a saved view',
    params: viewParams,
    response: z.object({}),
  }),
} as const;
