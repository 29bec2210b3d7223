import type { Model } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { limits } from '../limits.ts';
import type { QueryContext } from './query-context.ts';

/** A query with everything that its run needs, whatever it runs on. */
export interface QueryRun {
  readonly plan: Plan;
  readonly model: Model;
  readonly isCells: boolean;
  readonly isSampled: boolean;
  readonly queryContext: QueryContext;
  readonly timeoutMs: number;
}

/** The form of a query's result, and its limits. */
export function resultOptions({ isCells, queryContext, timeoutMs }: QueryRun) {
  return {
    as: isCells ? ('numbers' as const) : ('values' as const),
    timeoutMs,
    maxRows: isCells ? queryContext.workspace.limits.indexCells : limits.semanticRows,
  };
}
