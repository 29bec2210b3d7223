import type { embedEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { notFound } from '../../access/may.ts';
import type { Embedding } from '../../auth/guests/embedding.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** Endpoints for embedding. Only team mode has them. */
export function embedRoutes(
  embedding: Embedding | undefined,
  store: WorkspaceStore,
  dashboards: DashboardStore,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): Pick<Handlers, keyof typeof embedEndpoints> {
  const keys = () => {
    if (embedding) return embedding;
    throw new ProblemError('not-found', 'Embedding needs accounts. `belvedere serve` has them.');
  };
  const fileOf = (id: string) =>
    store.current.dashboards.get(id)?.origin === 'saved' ? dashboards.fileOf(id) : undefined;
  return {
    listEmbedKeys: () => ({ isOn: keys().isOn, keys: keys().list() }),
    createEmbedKey: async call => {
      const { name, origins, dashboards: ids } = call.body;
      requireConfirmation(call.caller);
      const shown = ids?.map(id => {
        const file = fileOf(id);
        if (file === undefined) throw notFound({ kind: 'dashboard', id });
        return { id, file };
      });
      const created = await keys().create({ name, origins, dashboards: shown }, call.caller.userId);
      await note(call, 'embed-key.create', name, origins.join(' '));
      return created;
    },
    rotateEmbedKey: async call => {
      requireConfirmation(call.caller);
      const created = await keys().rotate(call.params.key, fileOf, call.caller.userId);
      await note(call, 'embed-key.rotate', created.key.name);
      return created;
    },
    revokeEmbedKey: async call => {
      const { name, createdAt } = await keys().revoke(call.params.key);
      await note(call, 'embed-key.revoke', name, `of ${createdAt}`);
      return {};
    },
    switchEmbedding: async call => {
      const { isOn } = call.body;
      if (isOn) requireConfirmation(call.caller);
      await keys().switch(isOn);
      await note(call, 'embed.switch', 'embedding', isOn ? 'on' : 'off');
      return {};
    },
    openEmbed: ({ body }) => keys().openEmbed(body),
  };
}
