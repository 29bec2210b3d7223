import { hasNoQuery } from '@belvedere/query';
import { limitedRows } from '../../../access/export-limit.ts';
import { refuseUnexposed } from '../../../access/exposed-fields.ts';
import { requireLevel } from '../../../access/may.ts';
import { furtherRules } from '../../../access/rules.ts';
import { ProblemError } from '../../../http/problems.ts';
import { tilesOnPage } from '../../../queries/dashboard-query-context.ts';
import { queryFieldValues } from '../../../queries/models/query-field-values.ts';
import { shownRows } from '../../../queries/rows/result-rows.ts';
import { tableRows, underlyingRows } from '../../../queries/rows/table-pages.ts';
import { explainTile } from '../../../queries/tiles/explain-tile.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { localeOf } from '../exports.ts';
import { openDashboard, type DashboardQueryServices } from './open-dashboard.ts';

/** Endpoints for what is behind a tile: its rows, how it is calculated, and values of its fields. */
export function tileDetailRoutes(
  services: DashboardQueryServices,
): Pick<Handlers, 'getTileRows' | 'explainTile' | 'getFieldValues'> {
  const { store } = services;
  return {
    getTileRows: async ({ params, body, ...call }) => {
      const { context } = await openDashboard(params.id, body.state, call, services);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile || hasNoQuery(tile))
        throw new ProblemError(
          'not-found',
          `Tile \`${params.tile}\` not found on this page, or it has no rows.`,
        );
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      if (body.row && (tile.kind !== 'table' || body.mark))
        throw new ProblemError('request-invalid', 'Only a table tile has single rows.');
      const isShown = tile.kind === 'table' && !body.mark;
      // The rows behind a mark show more than the dashboard does.
      if (!isShown) {
        const { on: kind, level } = furtherRules.seeRows;
        requireLevel(call.caller, { kind, id: params.id }, level, store.current);
      }
      const object = { kind: 'dashboard', id: params.id } as const;
      const limit = limitedRows(call.caller, object, body, store.current, context.dashboard);
      const range = { ...body, limit };
      const page = isShown
        ? await tableRows(context, params.tile, tile, range)
        : await underlyingRows(context, params.tile, tile, range.mark, range);
      const { columns, rows, total } = page;
      return {
        columns: columns.map(column => ({ ...column })),
        rows: shownRows(rows),
        total,
        ...(page.totals && { totals: [...page.totals] }),
        ...(page.key && { key: [...page.key] }),
        ...(page.sparklines && { sparklines: page.sparklines }),
      };
    },

    explainTile: async ({ params, body, ...call }) => {
      const { context } = await openDashboard(params.id, body.state, call, services);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile) throw new ProblemError('not-found', `Tile \`${params.tile}\` not found on this page.`);
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      return explainTile(context, params.tile, tile, body.mark, localeOf(body.locale, 'en'));
    },

    getFieldValues: async ({ params, body, ...call }) => {
      const { context } = await openDashboard(params.id, body.state, call, services);
      return queryFieldValues(context, params.field, body);
    },
  };
}
