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
 * An opened dashboard as its viewer sees it: its parameters have their values, tiles that are not shown are
 * not there.
 */
export type ResolvedDashboard = Omit<OpenDashboard, 'document'> & { readonly document?: Dashboard };

export function seenBy(dashboard: OpenDashboard, state: Chosen): ResolvedDashboard {
  const { document, ...rest } = dashboard;
  return {
    ...rest,
    ...(document && { document: resolveDashboard(document, state, sayIn(dashboard.models)) }),
  };
}

/** One tile of a text that may be newer than what is shown. */
export function tileVisibleTo(
  document: DashboardFile,
  tile: TileFile,
  models: readonly ModelSummary[],
  state: Chosen,
): Tile {
  return resolveTile(document, tile, state, sayIn(models));
}

/** The dashboard as the state has it; the very same for as long as the state makes no difference to it. */
export function useResolvedDashboard(dashboard: OpenDashboard, state: DashboardState): ResolvedDashboard {
  const key = chosenIn(state);
  return useMemo(() => seenBy(dashboard, JSON.parse(key) as Chosen), [dashboard, key]);
}

/**
 * What of a state decides what a dashboard is made of, as a text: that something is filtered or selected, not
 * by what.
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
