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

/** The engine's work, independent of any SQL dialect: one select over one table and its joins. */
export interface Plan {
  readonly table: string;
  /** The source's own SQL, whose rows are the table. */
  readonly sql?: string;
  /** Only the joins that an expression of the plan reads. */
  readonly joins: Readonly<Record<string, Join>>;
  readonly zone: string;
  readonly columns: readonly PlanColumn[];
  readonly where: readonly PlanExpression[];
  /** The first `groupBy` columns group the rest. Undefined returns rows ungrouped. */
  readonly groupBy?: number;
  readonly order: readonly { readonly column: string; readonly descending: boolean }[];
  readonly limit?: number;
  readonly offset?: number;
  /** Return the number of rows in one column of this name, instead of the rows. */
  readonly countedAs?: string;
}

export interface PlanColumn {
  readonly name: string;
  readonly expression: PlanExpression;
  /** The type of the values in the result: instants are times of the plan's zone there. */
  readonly type: DataType;
}

export type PlanExpression =
  | { readonly kind: 'model'; readonly expression: Expression }
  /** Converts an instant to the wall-clock time of the plan's zone. */
  | { readonly kind: 'local'; readonly operand: PlanExpression; readonly isUtc?: boolean }
  | { readonly kind: 'truncate'; readonly unit: CalendarUnit; readonly operand: PlanExpression }
  /** The slot on an axis; for several axes the number of the group, last axis fastest. */
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

/** All columns that the plan's expressions read, repeats included. */
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
