import type { DashboardFile } from '@belvedere/document';
import { createHash } from 'node:crypto';
import { modelsNamed, type Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { exposedTo } from './exposed-fields.ts';
import { queryableWorkspace } from './granted-workspace.ts';
import { isAuthor } from './may.ts';
import { workspaceVisibleTo } from './row-policies.ts';

/**
 * Names what a caller sees of a dashboard: callers with the same text see the same rows and fields. Their
 * rights may differ otherwise, and what row policies know of them, too.
 */
export function sightOf(caller: Caller, document: DashboardFile, workspace: Workspace): string {
  const visible = workspaceVisibleTo(queryableWorkspace(workspace), caller);
  const models = modelsNamed(document).map(name => {
    const model = visible.models.get(name)?.model;
    return (
      model && [model.rowFilter, Object.keys(model.dimensions), Object.keys(model.measures), model.joins]
    );
  });
  const exposed = exposedTo(caller, document, visible);
  const fields = exposed && [...exposed].map(([name, all]) => [name, [...all].toSorted()]);
  const text = JSON.stringify([models, fields, isAuthor(caller), caller.rows === 'all']);
  return createHash('sha256').update(text).digest('hex');
}
