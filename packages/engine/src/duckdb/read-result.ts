import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { DataType } from '@belvedere/model';
import {
  EngineError,
  chunkLimits,
  refuseBytes,
  type QueryResult,
  type ResultColumn,
  type RunOptions,
} from '../result.ts';
import { parseExactNumber } from '../parse-exact-number.ts';

type Plain = string | number | boolean | null;

/**
 * Reads a streamed result to its end.
 * @throws EngineError query-too-large beyond `maxRows` (unless `mayCut`) and beyond `maxBytes`
 */
export async function readResult(
  result: DuckDBResult,
  { as, maxRows, mayCut = false, maxBytes }: Pick<RunOptions, 'as' | 'maxRows' | 'mayCut' | 'maxBytes'>,
): Promise<QueryResult> {
  const gathering = new Gathering(result, as, maxBytes);
  while (await gathering.more()) {
    if (gathering.rows <= maxRows) continue;
    if (!mayCut)
      throw new EngineError(
        'query-too-large',
        `The result has more than ${maxRows.toLocaleString('en')} rows.`,
      );
    return { ...gathering.take(maxRows), isCut: true };
  }
  return gathering.take();
}

/** A streamed result in pieces, at least one. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<QueryResult> {
  const gathering = new Gathering(result, 'values', Infinity);
  let isFirst = true;
  while (await gathering.more()) {
    if (gathering.rows < chunkLimits.rows && gathering.bytes < chunkLimits.bytes) continue;
    yield gathering.take();
    isFirst = false;
  }
  if (isFirst || gathering.rows > 0) yield gathering.take();
}

/** The rows read from a streamed result since the last `take`. */
class Gathering {
  readonly #result: DuckDBResult;
  readonly #as: RunOptions['as'];
  readonly #maxBytes: number | undefined;
  readonly #names: readonly string[];
  readonly #types: readonly DataType[];
  #columns: Plain[][];
  /** Size of the texts. */
  bytes = 0;
  rows = 0;

  constructor(result: DuckDBResult, as: RunOptions['as'], maxBytes: number | undefined) {
    this.#result = result;
    this.#as = as;
    this.#maxBytes = maxBytes;
    this.#names = result.columnNames();
    this.#types = result.columnTypes().map(dataType);
    this.#columns = this.#names.map(() => []);
  }

  /** @returns whether there were more rows @throws EngineError query-too-large beyond the allowed bytes */
  async more(): Promise<boolean> {
    const chunk = await this.#result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return false;
    this.rows += chunk.rowCount;
    for (const [i, column] of this.#columns.entries()) {
      if (this.#as === 'numbers')
        chunk.visitColumnValues(i, value => void column.push(value === null ? Number.NaN : Number(value)));
      else {
        try {
          chunk.visitColumnValues(i, value => {
            const plain = plainValue(value);
            if (typeof plain === 'string') this.bytes += plain.length;
            column.push(plain);
          });
        } catch (error) {
          // Texts of half a gigabyte cannot be made at all.
          if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG')
            refuseBytes(Infinity, this.#maxBytes);
          throw error;
        }
        refuseBytes(this.bytes, this.#maxBytes);
      }
    }
    return true;
  }

  /** Returns the collected rows, at most the first `rows`, and discards them. */
  take(rows: number = this.rows): QueryResult {
    const columns = this.#columns;
    const rowCount = Math.min(rows, this.rows);
    for (const column of columns) column.length = rowCount;
    this.#columns = this.#names.map(() => []);
    this.bytes = 0;
    this.rows = 0;
    return {
      rowCount,
      columns: this.#names.map((name, i): ResultColumn => ({
        name,
        type: this.#types[i]!,
        values: this.#as === 'numbers' ? Float64Array.from(columns[i] as number[]) : columns[i]!,
      })),
    };
  }
}

function dataType(type: DuckDBType): DataType {
  switch (type.typeId) {
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
      return 'integer';
    case DuckDBTypeId.DECIMAL:
      return 'decimal';
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return 'number';
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.UUID:
    case DuckDBTypeId.TIME:
      return 'text';
    case DuckDBTypeId.BOOLEAN:
      return 'boolean';
    case DuckDBTypeId.DATE:
      return 'date';
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return 'time';
    case DuckDBTypeId.TIMESTAMP_TZ:
      return 'instant';
    default:
      return 'other';
  }
}

/** A value in plain JSON; see `ResultColumn.values`. */
function plainValue(value: DuckDBValue): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : String(value);
  if (value instanceof DuckDBDateValue) return value.days * 86_400_000;
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return Number(value.micros / 1000n);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampNanosecondsValue) return Number(value.nanos / 1_000_000n);
  if (value instanceof DuckDBDecimalValue) return parseExactNumber(value.toString());
  return String(value);
}

/**
 * A result's columns with their types. The types are read once, because the driver rebuilds its list at every
 * call.
 */
export function columnsOf(
  result: DuckDBResult,
): { readonly name: string; readonly type: DataType; readonly engineType: DuckDBType }[] {
  const types = result.columnTypes();
  return result.columnNames().map((name, i) => ({ name, type: dataType(types[i]!), engineType: types[i]! }));
}
