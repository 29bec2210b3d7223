import { didYouMean } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import { protectedModelOf } from '../access/protected-tables.ts';
import { ProblemError } from '../http/problems.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';

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
    const model = document && protectedModelOf(document, workspace);
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
