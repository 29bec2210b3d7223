import { didYouMean } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import { protectionIn } from '../access/protected-tables.ts';
import { ProblemError } from '../problems.ts';
import { modelsNamed, type Workspace, type WorkspaceDashboard } from '../workspace/workspace.ts';

/**
 * Returns the caller for whom a site is made: a viewer of all dashboards, who sees nothing of their models
 * but what the dashboards show.
 * @param as a user of `tests/`, whose rows are published
 * @throws ProblemError `not-found` for an unknown user
 */
export function publicReader({ people }: Workspace, as: string | undefined): Caller {
  const rows = as === undefined ? { groups: [], attributes: {} } : people.get(as);
  if (!rows)
    throw new ProblemError(
      'not-found',
      `User \`${as}\` not found in \`tests/\`${didYouMean(as ?? '', people.keys()) || '.'}`,
    );
  return {
    userId: 'site',
    name: '',
    role: 'viewer',
    grants: new Map([
      ['folder:', 'view'],
      ['overviews', 'view'],
    ]),
    rows,
  };
}

/**
 * Refuses dashboards whose data is protected by row policies, since everyone can read a site.
 * @throws ProblemError `not-allowed`
 */
export function refuseProtected(dashboards: readonly WorkspaceDashboard[], workspace: Workspace): void {
  const refused = dashboards.flatMap(({ id, document }) => {
    const model = document && modelsNamed(document).find(name => isProtected(name, workspace));
    return model === undefined ? [] : [`\`${id}\` shows \`${model}\`, whose rows are protected by policies.`];
  });
  if (refused.length > 0)
    throw new ProblemError(
      'not-allowed',
      [
        ...refused,
        'Everyone can read a site. Use --as NAME to publish the rows of a user of `tests/`, or choose other dashboards with --dashboard.',
      ].join('\n'),
    );
}

function isProtected(name: string, workspace: Workspace): boolean {
  const model = workspace.models.get(name)?.model;
  if (!model) return false;
  const protection = protectionIn(workspace);
  return (
    model.policies !== undefined ||
    protection(model.source, model.table, model.sql).length > 0 ||
    Object.values(model.joins).some(({ table }) => protection(model.source, table).length > 0)
  );
}
