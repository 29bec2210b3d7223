import type { DimensionFile, FilterDefault } from '@belvedere/document';
import type { Expression } from './expression/expression.ts';
import type { Column, DataType } from './table.ts';

/** The meaning of a table's data: a validated model with parsed expressions. Plain data. */
export interface Model {
  readonly name: string;
  readonly label: string;
  readonly source: string;
  /** The table's name; for a model of SQL, a name that no table can have. */
  readonly table: string;
  /** The source's own SQL, whose rows are the table. */
  readonly sql?: string;
  /** The main time dimension, if there is one. */
  readonly time?: string;
  /** Tells how new the data is; if it is a time, relative ranges use it as *now*. */
  readonly watermark?: Watermark;
  readonly joins: Readonly<Record<string, Join>>;
  readonly dimensions: Readonly<Record<string, Dimension>>;
  readonly measures: Readonly<Record<string, Measure>>;
  /** Dimensions from the coarsest to the finest. */
  readonly hierarchies?: Readonly<Record<string, readonly string[]>>;
  /** Default conditions, for fields without any other condition. */
  readonly filters?: Readonly<Record<string, FilterDefault>>;
  /**
   * Row policies; a user whom none binds sees no rows. Queries run against the user's view of the model
   * (`withPolicies`).
   */
  readonly policies?: readonly Policy[];
  /** Only in a user's view of a model: the only rows that exist. */
  readonly rowFilter?: Expression;
  /** The policies behind `rowFilter`; empty if no policy binds the user. */
  readonly readUnder?: readonly BindingPolicy[];
}

/** A row policy: the rows that exist for the users it binds. */
export interface Policy {
  readonly name: string;
  /** The groups it binds; undefined binds all users. */
  readonly groups?: readonly string[];
  /** The condition, with `:user.name` not yet replaced. */
  readonly where: Expression;
  /** As in its file. */
  readonly text: string;
  /** Dimensions and measures that are hidden from the users it binds. */
  readonly hides: readonly string[];
}

/** A policy that binds a user. */
export interface BindingPolicy {
  readonly name: string;
  /** As in its file; empty for another model's policy. */
  readonly text: string;
  /** The columns of the table and its joins that the condition reads. */
  readonly reads: readonly { readonly join?: string; readonly name: string }[];
  /** Whether the user's attributes fit the condition. */
  readonly isFit: boolean;
}

export type Watermark = Pick<Measure, 'type' | 'expression'> & {
  /** As in its file. */
  readonly text: string;
};

/**
 * A many-to-one join: `on` pairs this table's columns with columns of `table` that together identify one row.
 */
export interface Join {
  readonly table: string;
  readonly on: readonly JoinKey[];
  /** Of the rows with the same key, the one in whose range a time of this table lies. */
  readonly between?: JoinRange;
  /**
   * Whether no key occurs twice in the joined table, as counted. If unknown, the join omits rows with
   * duplicate keys, so that it never multiplies a measure. With `between`, it omits keys with ranges that
   * overlap.
   */
  readonly isKeyed: boolean;
  /**
   * Only in a user's view of a model: the only rows of `table` that exist, and among which keys are counted.
   */
  readonly visible?: VisibleRows;
}

/** The rows of a table that a condition admits. */
export interface VisibleRows {
  readonly where: Expression;
  /**
   * The joins that the condition reads. They lead to whole tables, because policies are evaluated against the
   * unrestricted data.
   */
  readonly joins: Readonly<Record<string, Join>>;
}

/** A column of this table and the joined column that it equals, with their types. */
export interface JoinKey {
  /** The join whose table contains the column, if not the model's own table. That join precedes this one. */
  readonly join?: string;
  readonly column: string;
  readonly type: DataType;
  readonly equals: string;
  readonly equalsType: DataType;
  /** Whether the engine compares both columns in the same way, so that an index can find candidates. */
  readonly isAlike?: boolean;
}

/** A time of this table, and the half-open range that it lies in. Without an end, a range is open. */
export interface JoinRange {
  /** As of a key. */
  readonly join?: string;
  readonly column: string;
  readonly type: DataType;
  readonly begin: Pick<Column, 'name' | 'type'>;
  readonly end: Pick<Column, 'name' | 'type'>;
}

export interface Dimension {
  readonly name: string;
  readonly label: string;
  readonly type: DataType;
  readonly expression: Expression;
  /** As in its file: an expression or a column. */
  readonly text?: string;
  readonly format?: string;
  readonly description?: string;
  readonly role?: NonNullable<DimensionFile['role']>;
  /** The link template of its values, with `{value}` as placeholder. */
  readonly link?: string;
  /** Whether lists omit the dimension. */
  readonly isHidden?: boolean;
  /** The order of its values, if neither alphabetical nor numeric (S, M, L, XL). */
  readonly sort?: readonly (string | number)[];
}

/** Whether a dimension is computed only where it is named, such as the hidden weekday of a time: rows omit it. */
export function isOnDemand({ isHidden, expression }: Pick<Dimension, 'isHidden' | 'expression'>): boolean {
  return isHidden === true && expression.kind !== 'column';
}

export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly type: DataType;
  readonly expression: Expression;
  /** As in its file: an expression or a column. */
  readonly text?: string;
  readonly format?: string;
  readonly unit?: string;
  readonly description?: string;
  readonly better?: 'up' | 'down';
  readonly isHidden?: boolean;
}
