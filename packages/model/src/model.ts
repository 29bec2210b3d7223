import type { FilterDefault } from '@belvedere/document';
import type { Expression } from './expression/expression.ts';
import type { DataType } from './table.ts';

/** What a table's data means: a checked model, its expressions parsed. Plain data. */
export interface Model {
  readonly name: string;
  readonly label: string;
  readonly source: string;
  /** What it is called; of a model of SQL a name no table can have. */
  readonly table: string;
  /** The source's own SQL, whose rows are the table. */
  readonly sql?: string;
  /** The dimension that says when, if there is one. */
  readonly time?: string;
  /** What says how new the data is; where it is a time, that time is *now*. */
  readonly watermark?: Watermark;
  readonly joins: Readonly<Record<string, Join>>;
  readonly dimensions: Readonly<Record<string, Dimension>>;
  readonly measures: Readonly<Record<string, Measure>>;
  /** Dimensions from the coarsest to the finest. */
  readonly hierarchies?: Readonly<Record<string, readonly string[]>>;
  /** Conditions that hold wherever nothing else is said about their field. */
  readonly filters?: Readonly<Record<string, FilterDefault>>;
  /** Which rows exist for whom; none at all for whom none of them binds. What is asked is asked of the model as its reader reads it (`asReadBy`). */
  readonly policies?: readonly Policy[];
  /** Of a model as somebody reads it: only these rows exist. */
  readonly rowFilter?: Expression;
  /** The policies that this comes from; none where nobody thought of such a reader. */
  readonly readUnder?: readonly BindingPolicy[];
}

/** Rows that exist for whom it binds. */
export interface Policy {
  readonly name: string;
  /** Whom it binds; everyone where there are none. */
  readonly groups?: readonly string[];
  /** With the reader's attributes still to be put in. */
  readonly where: Expression;
  /** As its file has it. */
  readonly text: string;
  /** Dimensions and measures that do not exist for whom it binds. */
  readonly hides: readonly string[];
}

/** A policy that binds a reader. */
export interface BindingPolicy {
  readonly name: string;
  /** As its file has it; of another model's policy nothing. */
  readonly text: string;
  /** The columns of the table and of its joins that the condition reads. */
  readonly reads: readonly { readonly join?: string; readonly name: string }[];
  /** The reader's attributes fit it. */
  readonly isFit: boolean;
}

export type Watermark = Pick<Measure, 'type' | 'expression'> & {
  /** As its file has it. */ readonly text: string;
};

/** Many rows here, one there: `on` pairs this table's columns with the columns of `table` that together name one row. */
export interface Join {
  readonly table: string;
  readonly on: readonly JoinKey[];
  /** Counted: no key there occurs twice. Where that is not known, rows with the same key are left out of the join, so that it can never multiply a measure. */
  readonly isKeyed: boolean;
  /** Of a model as somebody reads it: only these rows of `table` exist, and keys are counted among these. */
  readonly visible?: VisibleRows;
}

/** Rows of a table that a condition admits. */
export interface VisibleRows {
  readonly where: Expression;
  /** The joins that the condition reads. They lead to whole tables: a policy is decided by the data as it is. */
  readonly joins: Readonly<Record<string, Join>>;
}

/** A column here and the one there that it equals, with their types. */
export interface JoinKey {
  /** The join whose table the column is in, where that is not the model's own; it stands before this one. */
  readonly join?: string;
  readonly column: string;
  readonly type: DataType;
  readonly equals: string;
  readonly equalsType: DataType;
  /** Whether the engine compares both in one way, so that an index can find candidates. */
  readonly isAlike?: boolean;
}

export interface Dimension {
  readonly name: string;
  readonly label: string;
  readonly type: DataType;
  readonly expression: Expression;
  /** As its file has it: an expression, or a column. */
  readonly text?: string;
  readonly format?: string;
  readonly description?: string;
  readonly role?: 'identifier' | 'latitude' | 'longitude';
  /** Where its values lead, with `{value}` in their place. */
  readonly link?: string;
  /** Not offered in lists. */
  readonly isHidden?: boolean;
  /** The order of its values where that is neither alphabet nor size (S, M, L, XL). */
  readonly sort?: readonly (string | number)[];
}

export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly type: DataType;
  readonly expression: Expression;
  /** As its file has it: an expression, or a column. */
  readonly text?: string;
  readonly format?: string;
  readonly unit?: string;
  readonly description?: string;
  readonly better?: 'up' | 'down';
  readonly isHidden?: boolean;
}
