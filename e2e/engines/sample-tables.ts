import { DuckDBInstance } from '@duckdb/node-api';
import type { DataType } from '@belvedere/model';
import { createRequire } from 'node:module';
import path from 'node:path';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';
import type { Cell, StatedTable } from './loaded-engines.ts';
import { workspaceOn } from './workspace-on.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const original = path.resolve(
  createRequire(path.join(project, 'samples', 'package.json')).resolve('vega-datasets'),
  '..',
  '..',
  'data',
);
export const sampleDocuments = path.join(project, 'samples', 'workspace');

/**
 * The sample over files with a number of its flights, and the same rows as tables to load into a database.
 */
export async function sampleTables(
  flights: number,
): Promise<{ folder: string; overFiles: Running; tables: StatedTable[] }> {
  const files = {
    flights: ['flights-3m.parquet', `using sample ${flights} rows (reservoir, 7)`],
    airports: ['airports.csv', ''],
    weather: ['weather.csv', ''],
    birdstrikes: ['birdstrikes.csv', ''],
  } as const;
  const folder = await workspaceOn(sampleDocuments, undefined);
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("set TimeZone = 'UTC'");
  for (const [name, [file, sample]] of Object.entries(files))
    await connection.run(
      `copy (select * from '${path.join(original, file)}' ${sample}) to '${path.join(folder, 'data', `${name}.parquet`)}' (format parquet)`,
    );
  const overFiles = await runBelvedere(folder);
  await allRead(overFiles);
  const tables: StatedTable[] = [];
  for (const name of Object.keys(files)) {
    const columns = overFiles.server.store.current.tables
      .get(name)!
      .imported!.columns.map(column => ({ name: column.name, type: column.type as DataType }));
    const cells = columns.map(({ name: column, type }) =>
      type === 'date' || type === 'time' || type === 'instant'
        ? `epoch_ms("${column}"::timestamp)`
        : type === 'text' || type === 'decimal'
          ? `"${column}"::varchar`
          : type === 'boolean'
            ? `"${column}"`
            : `"${column}"::double`,
    );
    const rows = (
      await connection.runAndReadAll(
        `select ${cells.join(', ')} from '${path.join(folder, 'data', `${name}.parquet`)}'`,
      )
    ).getRowsJS() as unknown as Cell[][];
    tables.push({
      name,
      columns,
      rows: rows.map(row => row.map(cell => (typeof cell === 'bigint' ? Number(cell) : cell))),
      ...(name === 'airports' && { unique: ['iata'] }),
    });
  }
  connection.closeSync();
  return { folder, overFiles, tables };
}
