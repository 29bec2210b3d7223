import { expect, test } from 'vitest';
import type { WorkspaceStore } from '../workspace-store.ts';
import type { DocumentRepository } from './document-repository.ts';
import { ScheduledDocumentStore } from './scheduled-document-store.ts';

test('a workspace has at most 1,000 alerts and reports, which can still be changed', async () => {
  const named = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`d${i}`, {}]));
  const documents = { alerts: named(600), reports: named(399) };
  const saved: string[] = [];
  const store = new ScheduledDocumentStore(
    'report',
    { documents } as unknown as WorkspaceStore,
    {
      save: async ({ file }: { readonly file: string }) => void saved.push(file),
    } as unknown as DocumentRepository,
  );
  await store.save('last', 'text', undefined, {});
  documents.reports.set('last', {});
  await expect(store.save('more', 'text', undefined, {})).rejects.toMatchObject({ type: 'request-invalid' });
  await store.save('again', 'text', 'hash', {});
  expect(saved).toEqual(['reports/last.yaml', 'reports/again.yaml']);
});
