import type { OpenDashboard } from '@belvedere/api';
import type { Model } from '@belvedere/model';
import type { DashboardContext } from '../queries/dashboard-query-context.ts';
import { hashOf } from './site-assets.ts';
import type { Site } from './site-html.ts';

/**
 * Returns a hash of all that a page of a site is made of: its definition, models and their data, and the site's
 * options. Undefined if its data can change unseen, as in databases.
 * @param others further inputs, such as images and the user whose rows are published
 */
export function inputsOf(
  { dashboard, queryContext: { workspace, calendar, zone, asOf } }: DashboardContext,
  opened: OpenDashboard,
  { assets, ...site }: Site,
  others: unknown,
): string | undefined {
  const tiles = dashboard.pages.flatMap(page => Object.values(page.tiles));
  const names = new Set([dashboard.model, ...tiles.map(tile => tile.model)]);
  const models = [...names].flatMap(name => workspace.models.get(name ?? '')?.model ?? []);
  const tables = models.flatMap(tablesOf).map(name => workspace.tables.get(name)?.imported?.fingerprint);
  if (models.some(({ source }) => source !== 'files') || tables.includes(undefined)) return undefined;
  // Without times in the data, relative filters end today.
  const today = models.every(({ time }) => time !== undefined) ? '' : new Date().toISOString().slice(0, 10);
  const scripts = [...assets.files.keys()];
  return hashOf(
    JSON.stringify([dashboard, opened, models, tables, site, scripts, calendar, zone, asOf, today, others]),
  );
}

function tablesOf({ table, joins }: Model): string[] {
  return [table, ...Object.values(joins).map(join => join.table)];
}
