import { readDocument } from '@belvedere/document';
import { Importer, openDuckDb } from '@belvedere/engine';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Answers } from './queries/query-service.ts';
import { limits, startLimits, type StartLimits } from './limits.ts';
import type { OpenPlace } from './workspace/resolve-workspace.ts';
import { Confirmations } from './workspace/sources/confirmations.ts';
import { holdFolder } from './workspace/workspace-lock.ts';
import { readSettings } from './workspace/documents/read-documents.ts';
import { WorkspaceStore } from './workspace/workspace-store.ts';

export interface OpenFolder {
  readonly hold: Awaited<ReturnType<typeof holdFolder>>;
  readonly engine: ReturnType<typeof openDuckDb>;
  /** Not opened yet: nothing has been read. */
  readonly store: WorkspaceStore;
  readonly answers: Answers;
  /** As the workspace has them since its start. */
  readonly limits: StartLimits;
}

/** Everything that answers questions about a folder, with nobody to ask yet. @throws HeldFolderError where another process has it open. */
export async function openFolder(place: OpenPlace): Promise<OpenFolder> {
  const tables = path.join(place.state, 'tables');
  await mkdir(tables, { recursive: true, mode: 0o700 });
  const hold = await holdFolder(place.state);
  const bounds = startLimits(
    (await readSettings(place.root, (text, file) => readDocument('workspace', text, file))).settings,
  );
  const { engineMemoryBytes: memoryBytes, engineThreads: threads, codedBytes } = bounds;
  const engine = openDuckDb({
    tablesFolder: tables,
    spillFolder: path.join(place.state, 'spill'),
    memoryBytes,
    threads,
    codedRows: limits.codedRows,
    patientRows: limits.patientRows,
    codedBytes,
  });
  const importer = new Importer({ tablesFolder: tables, root: place.root, memoryBytes, threads });
  const store = new WorkspaceStore(
    { root: place.root, data: place.data, tables, state: place.state },
    engine,
    importer,
    new Confirmations(place.root, place.isTrusted ?? false),
    { title: place.title, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  );
  return { hold, engine, store, answers: new Answers(engine, store.sources, bounds), limits: bounds };
}
