// A process that builds the column index of six fields of an imported table, and reads them as its peers do.
// The product also uses a process of its own. Beside a server with a gigabyte of column indexes in memory,
// this took up to a third longer.
import { DuckDBInstance } from '@duckdb/node-api';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { rowColumn } from '../../packages/engine/src/column-store/encoding/choose-encodings.ts';
import { writeEncoded } from '../../packages/engine/src/column-store/encoding/write-encoded.ts';
import { keptValues } from '../../packages/engine/src/import/columns/profile-table.ts';
import { median, timed } from './running-server.ts';

/** The process's only argument. */
export interface TableToTime {
  readonly alias: string;
  readonly database: string;
  readonly files: readonly string[];
  readonly rounds: number;
}

/** The output, medians in milliseconds. */
export interface CodingTimes {
  /** From the imported table on disk to the file of packed codes. */
  readonly codingMs: number;
  /**
   * Reading every value of these fields once, with an engine started for it, as the index build starts its
   * own.
   */
  readonly startedMs: number;
  /** The same with an engine that has read the table before. */
  readonly tableMs: number;
  /** The same from the files of the table. */
  readonly filesMs: number;
}

const { alias, database, files, rounds } = JSON.parse(process.argv[2]!) as TableToTime;
const fields = ['date', 'delay', 'distance', 'origin', 'destination', 'carrier'];
const attach = `attach '${database}' as "${alias}" (read_only)`;
const read = fields.map(field => `bit_xor(hash(${field}))`).join(', ');
const file = path.join(path.dirname(database), 'bench.words');
const table = {
  statements: [attach],
  select: `select ${fields.join(', ')}, rowid as "${rowColumn}" from "${alias}".data`,
  isOrdered: true,
  memoryBytes: 4 * 2 ** 30,
  threads: os.availableParallelism(),
  spillFolder: path.dirname(database),
  folders: [path.dirname(database)],
};

const times: CodingTimes[] = [];
for (let round = 0; round < rounds; round++) {
  const opened = async () => {
    const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
    const connection = await instance.connect();
    await connection.run(attach);
    await connection.run(`select ${read} from "${alias}".data`);
    return { instance, connection };
  };
  const [startedMs, { instance, connection }] = await timed(opened);
  const [tableMs] = await timed(() => connection.run(`select ${read} from "${alias}".data`));
  const [filesMs] = await timed(() =>
    connection.run(`select ${read} from read_parquet([${files.map(name => `'${name}'`).join(', ')}])`),
  );
  connection.closeSync();
  instance.closeSync();
  const [codingMs] = await timed(() =>
    writeEncoded(
      table,
      fields.map(field => ({ key: field, column: field, kept: keptValues(alias, field) })),
      file,
    ),
  );
  await rm(file, { force: true });
  times.push({ codingMs, startedMs, tableMs, filesMs });
}
const of = (time: keyof CodingTimes) => median(times.map(all => all[time]));
process.stdout.write(
  JSON.stringify({
    codingMs: of('codingMs'),
    startedMs: of('startedMs'),
    tableMs: of('tableMs'),
    filesMs: of('filesMs'),
  } satisfies CodingTimes),
);
process.exit(0);
