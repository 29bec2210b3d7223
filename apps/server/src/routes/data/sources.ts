import { isDatabaseFile } from '@belvedere/document';
import { notFound } from '../../access/may.ts';
import type { Caller } from '../../access/caller.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import {
  importedTables,
  presentFilesSchema,
  presentSource,
  presentSourceSchema,
  savedServer,
  summarizeSource,
} from '../../presenters/present-source.ts';
import { ProblemError } from '../../http/problems.ts';
import { isSameTarget, unconfirmedProblem } from '../../workspace/sources/source-access.ts';
import { changed, SourceWriter, sourceOf } from '../../workspace/sources/save-source.ts';
import { readSchema, openServer } from '../../workspace/sources/open-server.ts';
import type { SourceState } from '../../workspace/sources/source.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

type SourceHandlers = Pick<
  Handlers,
  | 'listSources'
  | 'getSource'
  | 'getSchema'
  | 'testSource'
  | 'saveSource'
  | 'saveFileSource'
  | 'confirmSource'
  | 'pauseSource'
  | 'removeSource'
  | 'retrySource'
>;

/**
 * Endpoints for databases.
 * @param requireConfirmation throws unless the caller gave the password recently, where there are accounts
 */
export function sourceRoutes(
  store: WorkspaceStore,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): SourceHandlers {
  const writer = new SourceWriter(store);
  const found = (name: string): SourceState => {
    const source = store.current.sources.get(name);
    if (!source) throw notFound({ kind: 'source', id: name });
    return source;
  };
  return {
    listSources: ({ granted }) => ({
      sources: [...granted().sources.values()].map(source => ({
        ...summarizeSource(source),
        ...(isDatabaseFile(source) && {
          tables: importedTables(source.name, store.current).length,
        }),
      })),
    }),

    getSource: ({ params }) => presentSource(found(params.name), store),

    getSchema: ({ params: { name }, granted }) => {
      if (name === 'files') return presentFilesSchema(granted());
      const source = found(name);
      if (source.unconfirmed && source.tables.length === 0) throw unconfirmedProblem(source);
      return presentSourceSchema(source, store.current);
    },

    testSource: async ({ body }) => {
      const { password, label: _, source: name = '', ...typed } = body;
      const saved = password === '' ? savedServer(name, store) : undefined;
      const source = saved ? changed(saved, typed) : sourceOf(typed, undefined);
      const isSaved = saved !== undefined && isSameTarget(saved, source);
      // The server named in an unconfirmed file has not been reviewed here, so the saved password must not be
      // sent to it.
      if (isSaved && found(name).unconfirmed) throw unconfirmedProblem(found(name));
      return store.sources.contact(source, async () => {
        const engine = await openServer(name, source, store.folders.root, isSaved ? undefined : password);
        try {
          const {
            server: { version, warnings },
            tables,
          } = await readSchema(engine);
          return { server: version, warnings: [...warnings], tables: tables.length };
        } finally {
          await engine.close().catch(() => {});
        }
      });
    },

    saveSource: async ({ params, body, ifMatch, ...call }) => {
      requireConfirmation(call.caller);
      const { password, label, ...connection } = body;
      await writer.save(params.name, connection, { label, password, base: ifMatch });
      await note(call, 'source.save', `source ${params.name}`);
      return summarizeSource(found(params.name));
    },

    saveFileSource: async ({ params, body, ...call }) => {
      requireConfirmation(call.caller);
      await writer.saveFile(params.name, body);
      await note(call, 'source.save', `source ${params.name}`);
      return summarizeSource(found(params.name));
    },

    confirmSource: async ({ params, body, ...call }) => {
      requireConfirmation(call.caller);
      const source = found(params.name);
      if (!(await store.sources.confirm(source.name, body.content)))
        throw new ProblemError(
          'revision-conflict',
          `\`${source.file}\` changed in the meantime, and so did what it would do. Review it again.`,
        );
      await store.reload();
      await note(call, 'source.confirm', `source ${source.name}`);
      return summarizeSource(found(params.name));
    },

    pauseSource: async ({ params: { name }, body, ...call }) => {
      found(name);
      await writer.pause(name, body.isPaused ? body.reason || true : undefined);
      await note(call, body.isPaused ? 'source.pause' : 'source.resume', `source ${name}`);
      return summarizeSource(found(name));
    },

    removeSource: async ({ params: { name }, ...call }) => {
      requireConfirmation(call.caller);
      found(name);
      await writer.remove(name);
      await note(call, 'source.delete', `source ${name}`);
      return {};
    },

    retrySource: async ({ params }) => {
      found(params.name);
      await store.sources.retry(params.name);
      return summarizeSource(store.sources.states.get(params.name)!);
    },
  };
}
