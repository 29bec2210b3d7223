import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBUnionType,
  type DuckDBType,
} from '@duckdb/node-api';
import { quoted } from './sql-text.ts';

/** A column to be: a field of a table, or of an object inside one. */
export interface SpreadColumn {
  /** Its value in SQL. */
  readonly expression: string;
  /** The fields that lead to it, from the outside. */
  readonly path: readonly string[];
  /** It holds a list, map or object, which is written as JSON text. */
  readonly isNested: boolean;
  /** The elements of its list in SQL, where they could be rows of a table. Of a map: objects of `key` and `value`. */
  readonly list?: { readonly expression: string; readonly elementType: DuckDBType };
}

const maxDepth = 3;
const widestStruct = 60;
/** Fields of objects are columns up to here; those of the table itself always are. */
const mostSpread = 200;

/** Whether anything in a table of such columns would be spread, or is a list. */
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
 * The columns that a table with nested values becomes: fields of objects are columns of their own, down to three levels. Of too many,
 * those that lie least deep are kept, so that one field with hundreds inside does not push out those beside it.
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
  const most = Math.min(
    maxColumns,
    Math.max(mostSpread, spread.filter(({ path }) => path.length === 1).length),
  );
  const kept = new Set(spread.toSorted((a, b) => a.path.length - b.path.length).slice(0, most));
  const notes =
    spread.length > most ? [`${spread.length} nested fields; the ${most} least nested are columns.`] : [];
  return { columns: spread.filter(column => kept.has(column)), notes };
}

function columnsFrom(
  expression: string,
  path: readonly string[],
  type: DuckDBType,
  depth: number,
): SpreadColumn[] {
  if (type instanceof DuckDBStructType && depth < maxDepth && type.entryCount <= widestStruct) {
    // GeoJSON keeps what is known of a place in `properties`.
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

/** Lists of objects and of plain values; lists of lists, of mixed values and of a fixed length are none that a table could be made of. */
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

/** A column's name as it is wanted, or with a number where another has it. */
export function distinctName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`;
  taken.add(name.toLowerCase());
  return name;
}
