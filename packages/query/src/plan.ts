import {
  columnsIn,
  type ColumnExpression,
  type DataType,
  type Expression,
  type Join,
} from '@belvedere/model';
import type { Axis } from './axis.ts';
import type { CalendarUnit } from './calendar.ts';
import type { Value } from './filter.ts';

/** What the engine is to do, said without any engine's words: one select over one table and its joins. */
export interface Plan {
  readonly table: string;
  /** The source's own SQL, whose rows are the table. */
  readonly sql?: string;
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
  /** Answered with how many rows that would be, in one column of this name. */
  readonly countedAs?: string;
}

export interface PlanColumn {
  readonly name: string;
  readonly expression: PlanExpression;
  /** What its values are once answered: instants have become times of the plan's zone. */
  readonly type: DataType;
}

export type PlanExpression =
  | { readonly kind: 'model'; readonly expression: Expression }
  /** An instant as the wall-clock time of the plan's zone. */
  | { readonly kind: 'local'; readonly operand: PlanExpression }
  | { readonly kind: 'truncate'; readonly unit: CalendarUnit; readonly operand: PlanExpression }
  /** The slot of an axis; with several axes the number of the group, last axis fastest. */
  | {
      readonly kind: 'group';
      readonly axes: readonly {
        readonly axis: Axis;
        readonly operand: PlanExpression;
        readonly type: DataType;
      }[];
    }
  | { readonly kind: 'double'; readonly operand: PlanExpression }
  | {
      readonly kind: 'edge';
      readonly operand: PlanExpression;
      readonly type: DataType;
      readonly operator: '>=' | '<';
      readonly value: number;
    }
  | {
      readonly kind: 'oneOf';
      readonly operand: PlanExpression;
      readonly type: DataType;
      readonly values: readonly Value[];
    }
  | { readonly kind: 'contains'; readonly operand: PlanExpression; readonly text: string }
  /** True where `condition` is false or unknown. */
  | { readonly kind: 'not'; readonly condition: PlanExpression }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly PlanExpression[] };

/** Every column that expressions of a plan name, as often as they do. */
export function columnsRead(expressions: readonly PlanExpression[]): ColumnExpression[] {
  return expressions.flatMap(expression => {
    switch (expression.kind) {
      case 'model':
        return columnsIn(expression.expression);
      case 'group':
        return columnsRead(expression.axes.map(({ operand }) => operand));
      case 'not':
        return columnsRead([expression.condition]);
      case 'all':
      case 'any':
        return columnsRead(expression.conditions);
      default:
        return columnsRead([expression.operand]);
    }
  });
}
