import type { AccessOfUser, ObjectKind } from '@belvedere/api';
import type { User } from '../state/accounts/users.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { maxExportedRows } from './export-limit.ts';
import { levelOf } from './may.ts';
import { applyRowPolicies } from './row-policies.ts';
import type { Sharing } from './sharing.ts';

/**
 * Explains what a user may see, and why: every object with the level that results and the grants it comes
 * from, and what row policies leave of the models. Overviews are left out, since they follow their models.
 *
 * @param caller the user as they call; undefined for a disabled account, which sees nothing
 */
export function explainAccess(
  user: User,
  caller: Caller | undefined,
  sharing: Sharing,
  workspace: Workspace,
): AccessOfUser {
  if (!caller) return { objects: [], models: [], needsNoGrant: false };
  const named = (kind: ObjectKind, ids: Iterable<string>, label: (id: string) => string = id => id) =>
    Array.from(ids, id => ({ kind, id, label: label(id) }));
  const saved = [...workspace.dashboards.values()].filter(({ origin }) => origin === 'saved');
  const objects = [
    ...named(
      'dashboard',
      saved.map(({ id }) => id),
      id => workspace.dashboards.get(id)?.document?.title ?? id,
    ),
    ...named('model', workspace.models.keys(), id => workspace.models.get(id)!.model.label),
    ...named('source', ['files', ...workspace.sources.keys()]),
  ];
  const needsNoGrant = caller.grants === 'all';
  const grantsOn = sharing.grantsOf(user, workspace);
  return {
    needsNoGrant,
    objects: objects.flatMap(object => {
      const level = levelOf(caller, object, workspace);
      if (!level) return [];
      const exportRows = maxExportedRows(caller, object, workspace);
      const limit = Number.isFinite(exportRows) ? { exportRows } : {};
      return [{ ...object, level, ...limit, grants: needsNoGrant ? [] : grantsOn(object) }];
    }),
    models: [...workspace.models].flatMap(([name, { model }]) => {
      const seen = applyRowPolicies(model, caller, workspace);
      if (!seen.readUnder) return [];
      const hidden = (all: Readonly<Record<string, { readonly label: string }>>, left: object) =>
        Object.entries(all).flatMap(([field, { label }]) => (Object.hasOwn(left, field) ? [] : [label]));
      return [
        {
          name,
          label: model.label,
          policies: seen.readUnder.map(({ name: policy, text, isFit }) => ({ name: policy, text, isFit })),
          hidden: [...hidden(model.dimensions, seen.dimensions), ...hidden(model.measures, seen.measures)],
        },
      ];
    }),
  };
}
