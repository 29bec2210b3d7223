import type { TimeUnit } from '@belvedere/document';
import type { DataType, Expression, Join } from '@belvedere/model';
import type { Axis } from './axis.ts';
import type { Value } from './filter.ts';

/** What the engine is to do, said without any engine's words: one select over one table and its joins. */
export interface Plan {
  readonly table: string;
  /** Only those that something in the plan reads. */
  readonly joins: Readonly<Record<string, Join>>;
  readonly zone: string;
  readonly columns: readonly PlanColumn[];
  readonly where: readonly PlanExpression[];
  /** The first so many columns group the rest; undefined: rows as they are. */
  readonly groupBy?: number;
  readonly order: readonly { readonly column: string; readonly descending: boolean }[];
  readonly limit?: number;
  readonly offset?: number;
}

export interface PlanColumn {
  readonly name: string;
  readonly expression: PlanExpression;
}

export type PlanExpression =
  | { readonly kind: 'model'; readonly expression: Expression }
  /** An instant as the wall-clock time of the plan's zone. */
  | { readonly kind: 'local'; readonly operand: PlanExpression }
  | { readonly kind: 'truncate'; readonly unit: TimeUnit; readonly operand: PlanExpression }
  /** The slot of an axis; with several axes the number of the group, last axis fastest. */
  | { readonly kind: 'group'; readonly axes: readonly { readonly axis: Axis; readonly operand: PlanExpression; readonly type: DataType }[] }
  | { readonly kind: 'double'; readonly operand: PlanExpression }
  | { readonly kind: 'edge'; readonly operand: PlanExpression; readonly type: DataType; readonly operator: '>=' | '<'; readonly value: number }
  | { readonly kind: 'oneOf'; readonly operand: PlanExpression; readonly type: DataType; readonly values: readonly Value[] }
  | { readonly kind: 'contains'; readonly operand: PlanExpression; readonly text: string }
  /** True where `condition` is false or unknown. */
  | { readonly kind: 'not'; readonly condition: PlanExpression }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly PlanExpression[] };
