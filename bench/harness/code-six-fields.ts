// A process that codes six fields of an imported table, and reads them as its peers do: the product codes in one of its own, too. Beside a
// server with a gigabyte of codes in its memory coding took up to a third longer.
import { DuckDBInstance } from '@duckdb/node-api';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { rowColumn } from '../../packages/engine/src/column-store/choose-encodings.ts';
import { writeEncoded } from '../../packages/engine/src/column-store/write-encoded.ts';
import { keptValues } from '../../packages/engine/src/import/profile-table.ts';
import { median, timed } from './running-server.ts';

/** What it is told as its only argument. */
export interface TableToTime {
  readonly alias: string;
  readonly database: string;
  readonly files: readonly string[];
  readonly rounds: number;
}

/** What it says, medians in milliseconds. */
export interface CodingTimes {
  /** From the table as it lies on the disk to the file of packed codes. */
  readonly codingMs: number;
  /** Every value of those fields read once: by an engine that is started for it, as coding starts its own, */
  readonly startedMs: number;
  /** by one that has read the table before, */
  readonly tableMs: number;
  /** and of the files the table came from. */
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
