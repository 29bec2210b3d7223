// A process that encodes the fields of one table and exits. Killing it is safe.
import type { Plan } from '@belvedere/query';
import { duckdb, writeSql } from '@belvedere/sql';
import { rename, writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { volunteerForOutOfMemory } from '../../duckdb/open-duckdb.ts';
import { keptValues } from '../../import/columns/profile-table.ts';
import { quoted, text } from '../../import/sql-text.ts';
import { rowColumn, type WantedField } from './choose-encodings.ts';
import type { EncodingManifest } from './encoding-manifest.ts';
import { derivationsIn } from '../plan/derived-columns.ts';
import { writeEncoded } from './write-encoded.ts';

export interface CodesOrder {
  /** One column for each wanted field; see `WantedField.column`. */
  readonly plan: Plan;
  readonly wanted: readonly WantedField[];
  /** Each table that the plan reads: its alias and its database file. */
  readonly tables: readonly { readonly name: string; readonly alias: string; readonly database: string }[];
  readonly file: string;
  readonly spillFolder: string;
}

export type FromEncodeProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly manifest: EncodingManifest }
  | { readonly kind: 'failed'; readonly message: string };

volunteerForOutOfMemory();
process.once('message', (order: CodesOrder) => void code(order));
process.send!({ kind: 'ready' });
// The parent kills this process when it is done, so the compile cache for the next one is flushed first.
flushCompileCache();

async function code({ plan, wanted, tables, file, spillFolder }: CodesOrder): Promise<void> {
  const { BELVEDERE_MEMORY, BELVEDERE_THREADS } = process.env;
  try {
    const aliases = new Map(tables.map(({ name, alias }) => [name, alias]));
    const numbering = {
      name: rowColumn,
      expression: { kind: 'model', expression: { kind: 'column', name: 'rowid' } },
      type: 'integer',
    } as const;
    const derivations = derivationsIn(plan, numbering);
    const { text: select } = writeSql(
      { ...plan, columns: [...plan.columns, numbering] },
      duckdb,
      table => `${quoted(aliases.get(table)!)}."main"."data"`,
      'inline',
    );
    const isOrdered = Object.keys(plan.joins).length === 0;
    const kept = ({ expression }: Plan['columns'][number]) =>
      isOrdered && expression.kind === 'model' && expression.expression.kind === 'column'
        ? keptValues(aliases.get(plan.table)!, expression.expression.name)
        : undefined;
    const statements = tables.map(
      ({ alias, database }) => `attach ${text(database)} as ${quoted(alias)} (read_only)`,
    );
    const folders = [...new Set(tables.map(({ database }) => path.dirname(database)))];
    const sandbox = {
      memoryBytes: Number(BELVEDERE_MEMORY),
      threads: Number(BELVEDERE_THREADS),
      spillFolder,
      folders,
    };
    const table = { select, isOrdered, statements, ...sandbox };
    const manifest = await writeEncoded(
      table,
      wanted.map((field, i) => ({ ...field, derivation: derivations[i], kept: kept(plan.columns[i]!) })),
      `${file}.part`,
    );
    await rename(`${file}.part`, file);
    await writeFile(`${file}.json.part`, JSON.stringify(manifest));
    await rename(`${file}.json.part`, `${file}.json`);
    process.send!({ kind: 'done', manifest });
  } catch (error) {
    process.send!({ kind: 'failed', message: (error as Error).message });
  }
}
