import type { DashboardState, ModelSummary, OpenDashboard } from '@belvedere/api';
import { parameterText } from '@belvedere/chart';
import {
  resolveDashboard,
  resolveTile,
  type Chosen,
  type Dashboard,
  type DashboardFile,
  type FormatValue,
  type Tile,
  type TileFile,
} from '@belvedere/document';
import { useMemo } from 'react';
import { locale } from '../../messages/messages.ts';
import { parameterLabel } from './describe.ts';

/**
 * An opened dashboard as its viewer sees it: parameters are replaced by their values, and hidden tiles are
 * left out.
 */
export type ResolvedDashboard = Omit<OpenDashboard, 'document'> & { readonly document?: Dashboard };

export function presentDashboard(dashboard: OpenDashboard, state: Chosen): ResolvedDashboard {
  const { document, ...rest } = dashboard;
  return {
    ...rest,
    ...(document && { document: resolveDashboard(document, state, sayIn(dashboard.models)) }),
  };
}

/** A tile of a text that may be newer than the shown dashboard. */
export function tileVisibleTo(
  document: DashboardFile,
  tile: TileFile,
  models: readonly ModelSummary[],
  state: Chosen,
): Tile {
  return resolveTile(document, tile, state, sayIn(models));
}

/** The dashboard resolved for a state. It is the same object while the state makes no difference. */
export function useResolvedDashboard(dashboard: OpenDashboard, state: DashboardState): ResolvedDashboard {
  const key = chosenIn(state);
  return useMemo(() => presentDashboard(dashboard, JSON.parse(key) as Chosen), [dashboard, key]);
}

/**
 * The part of a state that decides how a dashboard is resolved, as a text: whether it has filters or
 * selections, not which.
 */
export function chosenIn({ parameters, filters, selections }: DashboardState): string {
  const chosen: Chosen = {
    parameters,
    filters: Object.fromEntries(
      Object.entries(filters).map(([field, condition]) => [field, condition && true]),
    ),
    selections: Object.fromEntries(
      Object.entries(selections).map(([tile, boxes]) => [tile, boxes.slice(0, 1).map(() => true)]),
    ),
  };
  return JSON.stringify(chosen);
}

function sayIn(models: readonly ModelSummary[]): FormatValue {
  return (parameter, value, isInside) =>
    parameterText(parameter, value, name => parameterLabel(models, name), locale, isInside);
}
