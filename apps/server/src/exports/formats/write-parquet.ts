import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ExportColumn, ExportValue } from '../tables/export-table.ts';

type Rows = readonly (readonly ExportValue[])[];

/** Milliseconds since 1970 in UTC. */
const moments = {
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const days = { type: 'INT32', converted_type: 'DATE' } as const;

/** The Parquet type of a column, where the library's own differs. */
function typeOf(column: ExportColumn | undefined): typeof moments | typeof days | undefined {
  if (column?.zone !== undefined) return moments;
  return column?.type === 'date' ? days : undefined;
}

/** Rows of one row group, which are in memory together while they are written. */
const groupRows = 100_000;

/**
 * Writes Parquet of any length with the columns' own types. Rows are spooled to a file until the last one,
 * which settles whether all numbers of a column are doubles. If some have more digits, the whole column is
 * text.
 */
export class ParquetFile {
  readonly #columns: readonly ExportColumn[];
  readonly #folder: string;
  readonly #spool: number;
  /** End offset of each chunk in the spool file. */
  readonly #ends: number[] = [];
  readonly #isDouble: boolean[];

  /** @param folder for the spool file and the Parquet file */
  constructor(columns: readonly ExportColumn[], folder: string) {
    this.#columns = columns;
    this.#folder = folder;
    this.#spool = openSync(path.join(folder, 'rows'), 'wx+', 0o600);
    this.#isDouble = columns.map(column => column.type === 'number');
  }

  add(rows: Rows): void {
    for (const row of rows)
      for (let i = 0; i < row.length; i++) if (typeof row[i] === 'string') this.#isDouble[i] = false;
    const bytes = serialize(rows);
    const from = this.#ends.at(-1) ?? 0;
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#spool, bytes, done, bytes.length - done, from + done);
    this.#ends.push(from + bytes.length);
  }

  /** @returns the path of the complete file */
  write(): string {
    const file = path.join(this.#folder, 'table.parquet');
    const parquet = new ParquetWriter({
      writer: fileWriter(file),
      schema: schemaFromColumnData({
        columnData: this.#columnData([]).map(column => ({ ...column, nullable: true })),
      }).map((element, i) => ({ ...element, ...typeOf(this.#columns[i - 1]) })),
    });
    let group: Rows[number][] = [];
    for (const rows of this.#spooled()) {
      for (const row of rows) group.push(row);
      if (group.length < groupRows) continue;
      this.#append(parquet, group);
      group = [];
    }
    if (group.length > 0) this.#append(parquet, group);
    parquet.finish();
    closeSync(this.#spool);
    return file;
  }

  #append(parquet: ParquetWriter, rows: Rows): void {
    void parquet.write({
      columnData: this.#columnData(rows).map(({ name, data }) => ({ name, data })),
      rowGroupSize: rows.length,
    });
  }

  *#spooled(): Generator<Rows> {
    let from = 0;
    for (const end of this.#ends) {
      const bytes = Buffer.alloc(end - from);
      for (let done = 0; done < bytes.length;)
        done += readSync(this.#spool, bytes, done, bytes.length - done, from + done);
      from = end;
      yield deserialize(bytes) as Rows;
    }
  }

  #columnData(rows: Rows) {
    const names = new Map<string, number>();
    return this.#columns.map((column, i) => {
      const count = names.get(column.label) ?? 0;
      names.set(column.label, count + 1);
      const name = count === 0 ? column.label : `${column.label} ${count + 1}`;
      const values = rows.map(row => row[i] ?? null);
      if (column.zone !== undefined)
        return {
          name,
          data: values.map(value => (typeof value === 'number' ? BigInt(value) : null)),
          type: 'INT64' as const,
        };
      if (column.type === 'date' || column.type === 'time')
        return {
          name,
          data: values.map(value => (typeof value === 'number' ? new Date(value) : null)),
          type: 'TIMESTAMP' as const,
        };
      if (this.#isDouble[i]) return { name, data: values, type: 'DOUBLE' as const };
      if (column.type === 'boolean') return { name, data: values, type: 'BOOLEAN' as const };
      return {
        name,
        data: values.map(value => (value === null ? null : String(value))),
        type: 'STRING' as const,
      };
    });
  }
}
