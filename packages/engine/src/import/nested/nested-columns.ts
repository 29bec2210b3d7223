import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBUnionType,
  type DuckDBType,
} from '@duckdb/node-api';
import { quoted } from '../sql-text.ts';

/** A column to create: a field of a table, or of an object inside one. */
export interface SpreadColumn {
  /** SQL for its value. */
  readonly expression: string;
  /** The path of fields to it, from the outermost. */
  readonly path: readonly string[];
  /** Whether it contains a list, map or object, which is stored as JSON text. */
  readonly isNested: boolean;
  /**
   * SQL for the elements of its list, if they can become rows of a table. Elements of a map are objects of
   * `key` and `value`.
   */
  readonly list?: { readonly expression: string; readonly elementType: DuckDBType };
}

const maxDepth = 3;
const widestStruct = 60;
/** The limit of columns from fields of objects. Top-level fields always become columns. */
const maxSpread = 200;

/** Whether a column of this type would be spread, or is a list. */
export function isNested(type: DuckDBType): boolean {
  return (
    type instanceof DuckDBStructType ||
    type instanceof DuckDBListType ||
    type instanceof DuckDBMapType ||
    type instanceof DuckDBArrayType ||
    type instanceof DuckDBUnionType
  );
}

/**
 * The columns for a table with nested values. Fields of objects become columns, down to three levels. If
 * there are too many, the least nested are kept, so that one field with hundreds of subfields does not
 * displace the others.
 * @param depth where spreading begins: at `maxDepth` nothing is spread
 */
export function spreadColumns(
  fields: readonly { readonly name: string; readonly engineType: DuckDBType }[],
  nested: 'columns' | 'text',
  maxColumns = Infinity,
): { columns: SpreadColumn[]; notes: string[] } {
  const spread = fields.flatMap(({ name, engineType }) =>
    columnsFrom(quoted(name), [name], engineType, nested === 'text' ? maxDepth : 0),
  );
  const maxCount = Math.min(
    maxColumns,
    Math.max(maxSpread, spread.filter(({ path }) => path.length === 1).length),
  );
  const kept = new Set(spread.toSorted((a, b) => a.path.length - b.path.length).slice(0, maxCount));
  const notes =
    spread.length > maxCount
      ? [`${spread.length} nested fields; the ${maxCount} least nested are columns.`]
      : [];
  return { columns: spread.filter(column => kept.has(column)), notes };
}

function columnsFrom(
  expression: string,
  path: readonly string[],
  type: DuckDBType,
  depth: number,
): SpreadColumn[] {
  if (type instanceof DuckDBStructType && depth < maxDepth && type.entryCount <= widestStruct) {
    // GeoJSON stores a feature's attributes in `properties`.
    const isWrapper = path[0] === 'properties' && depth === 0;
    return type.entryNames.flatMap((name, i) =>
      columnsFrom(
        `${expression}.${quoted(name)}`,
        isWrapper ? [name] : [...path, name],
        type.entryTypes[i]!,
        depth + 1,
      ),
    );
  }
  if (!isNested(type)) return [{ expression, path, isNested: false }];
  const list = depth < maxDepth ? listIn(expression, type) : undefined;
  return [{ expression: `to_json(${expression})::varchar`, path, isNested: true, ...(list && { list }) }];
}

/**
 * Returns lists of objects or plain values. Lists of lists, of mixed types and of fixed length do not become
 * tables.
 */
function listIn(expression: string, type: DuckDBType): SpreadColumn['list'] {
  if (type instanceof DuckDBMapType)
    return {
      expression: `map_entries(${expression})`,
      elementType: new DuckDBStructType(['key', 'value'], [type.keyType, type.valueType]),
    };
  if (!(type instanceof DuckDBListType)) return undefined;
  const { valueType } = type;
  const isRow =
    valueType instanceof DuckDBStructType ||
    (!isNested(valueType) && valueType.alias !== 'JSON' && valueType.typeId !== DuckDBTypeId.SQLNULL);
  return isRow ? { expression, elementType: valueType } : undefined;
}

/** The wanted name, or with a number appended if it is taken. */
export function distinctName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`;
  taken.add(name.toLowerCase());
  return name;
}
