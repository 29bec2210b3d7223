import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createServices, type Services } from '../services/create-services.ts';
import { ProblemError } from '../http/problems.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { WorkspaceLockedError } from '../workspace/workspace-lock.ts';
import type { TableState, Workspace } from '../workspace/workspace.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Progress } from './progress.ts';

export interface FolderUse {
  /**
   * The models that the work needs, once known; only the tables of their files are awaited. A model without a
   * file has what was found between all tables. Undefined awaits everything in the folder.
   */
  readonly models?: (workspace: Workspace) => readonly string[] | undefined;
  /** Called several times a second while the folder loads. */
  readonly onProgress?: (progress: Progress) => void;
  /** Gives sums of doubles the same last digits each time. Queries of large tables take longer. */
  readonly isRepeatable?: boolean;
}

const longestReadingMs = 10 * 60_000;

/**
 * Runs some work on a folder once it has loaded, without a server, then closes it. If the folder is open in
 * another process, the work uses a separate state folder.
 * @throws ProblemError `still-reading` after ten minutes
 */
export async function withWorkspace<T>(
  location: ResolvedWorkspace,
  { models, onProgress, isRepeatable = false }: FolderUse,
  work: (folder: Services) => Promise<T>,
): Promise<T> {
  let own: string | undefined;
  const opened = await createServices(location, { isRepeatable }).catch(async (error: unknown) => {
    if (!(error instanceof WorkspaceLockedError)) throw error;
    const state = location.beside ?? (own = await mkdtemp(path.join(os.tmpdir(), 'belvedere-command-')));
    return createServices({ ...location, state }, { isRepeatable });
  });
  try {
    const { store } = opened;
    await store.open();
    const began = Date.now();
    while (isComing(store) && !models?.(store.current)?.every(name => isThere(store.current, name))) {
      if (Date.now() - began > longestReadingMs)
        throw new ProblemError(
          'still-reading',
          `The data is still being imported after ${longestReadingMs / 60_000} minutes.`,
        );
      const progress = progressOf(store);
      if (progress) onProgress?.(progress);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    // Overviews and models without a file are the same as in a server that runs for a while.
    if (!isComing(store)) await store.relationships.settled();
    return await work(opened);
  } finally {
    await opened.store.close();
    await opened.engine.close();
    await opened.hold.release();
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

/** Whether some tables, sources or columns of SQL models are still loading. */
function isComing({ current, documents }: WorkspaceStore): boolean {
  return (
    readingTables(current).length > 0 ||
    connectingSources(current).length > 0 ||
    [...current.modelsReading].some(name => {
      const read = documents.models.get(name)?.read;
      return read?.ok && read.value.sql !== undefined;
    })
  );
}

/**
 * Whether a model and all its tables have loaded. Always false for SQL models, since the tables they read are
 * unknown, and for models without a file.
 */
function isThere({ models, modelFiles, modelsReading, tables }: Workspace, name: string): boolean {
  const model = models.get(name)?.model;
  if (!model || !modelFiles.has(name) || modelsReading.has(name) || model.sql !== undefined) return false;
  return [model, ...Object.values(model.joins)].every(({ table }) => !isReading(tables.get(table)));
}

function isReading(table: TableState | undefined): boolean {
  return table?.state === 'importing' || table?.state === 'waiting';
}

function progressOf({ current }: WorkspaceStore): Progress | undefined {
  const tables = readingTables(current).map(({ name, percent = 0 }) => ({ name, percent }));
  if (tables.length > 0) return { kind: 'importing', tables };
  const sources = connectingSources(current);
  return sources.length > 0 ? { kind: 'connecting', sources } : undefined;
}

function readingTables({ tables }: Workspace): TableState[] {
  return [...tables.values()].filter(isReading);
}

function connectingSources({ sources }: Workspace): string[] {
  return [...sources]
    .filter(([, { state }]) => state === 'unchecked' || state === 'connecting')
    .map(([name]) => name);
}
