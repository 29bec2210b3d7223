import { writeDocument } from '@belvedere/document';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LoadedEngine } from './loaded-engines.ts';

/** A source's file for a loaded engine; its password comes from the environment, as it should. */
export function sourceFile({ server }: Pick<LoadedEngine, 'server'>, changes: object = {}): string {
  const { kind, host, port, database, user, password } = server!;
  process.env['BELVEDERE_TEST_PASSWORD'] = password;
  return writeDocument(
    {
      version: 1,
      kind,
      ...(kind === 'clickhouse' && { times: 'wall clock' }),
      connection: {
        host,
        port,
        database,
        user,
        ...(password && { password: '${env:BELVEDERE_TEST_PASSWORD}' }),
        ...changes,
      },
    },
    'source',
    'sources/warehouse.yaml',
  );
}

/**
 * A workspace with the documents of another one, every model's rows coming from the source `warehouse`.
 * Dashboards are taken as they are.
 */
export async function workspaceOn(documents: string, source: string | undefined): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-workspace-'));
  for (const name of ['models', 'dashboards', 'data', 'sources']) await mkdir(path.join(folder, name));
  await writeFile(
    path.join(folder, 'belvedere.yaml'),
    await readFile(path.join(documents, 'belvedere.yaml'), 'utf8'),
  );
  for (const kind of ['models', 'dashboards']) {
    for (const name of await readdir(path.join(documents, kind))) {
      const text = await readFile(path.join(documents, kind, name), 'utf8');
      await writeFile(
        path.join(folder, kind, name),
        kind === 'models' && source ? text.replace(/^version: 1$/m, 'version: 1\nsource: warehouse') : text,
      );
    }
  }
  if (source) await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), source);
  return folder;
}
