import { writeDocument } from '@belvedere/document';
import { createFile } from '../workspace/documents/create-file.ts';
import { checkedId } from '../workspace/documents/dashboard-id.ts';
import { writeEditorSchemas } from '../workspace/documents/editor-schemas.ts';
import { keepDataFolder } from '../workspace/documents/keep-data-folder.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { notFound } from './not-found.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import type { Progress } from './progress.ts';
import { withWorkspace } from './with-workspace.ts';

/**
 * Creates a dashboard's file from the overview of a table, as a starting point.
 * @param options.about a model; defaults to the first that has an overview
 * @returns the file, relative to the workspace's folder
 * @throws ProblemError if there is no such model, or if the file exists
 */
export async function newDashboard(
  location: ResolvedWorkspace,
  id: string,
  { about, onProgress }: { readonly about?: string; readonly onProgress?: (progress: Progress) => void } = {},
): Promise<string> {
  checkedId(id);
  return withWorkspace(location, { ...(onProgress && { onProgress }) }, async ({ store }) => {
    const overviews = [...store.current.dashboards.values()].filter(
      dashboard => dashboard.origin === 'overview' && dashboard.document,
    );
    const found =
      about === undefined ? overviews[0] : overviews.find(dashboard => dashboard.id === `overview/${about}`);
    if (about !== undefined) refuseUnconfirmed(store.current, [about]);
    const models = [...store.current.models.keys()];
    if (about !== undefined && !models.includes(about)) throw notFound('model', about, models);
    const title = id.split('/').at(-1)!;
    const { description: _, ...document } = found?.document ?? {
      version: 1 as const,
      title,
      ...(about !== undefined && { model: about }),
      pages: [{ title: 'Page 1', tiles: {} }],
    };
    const file = `dashboards/${id}.yaml`;
    const text = writeDocument({ ...document, title }, 'dashboard', file);
    await keepDataFolder(location);
    await createFile(location.root, file.split('/'), text);
    await writeEditorSchemas(location.root);
    return file;
  });
}
