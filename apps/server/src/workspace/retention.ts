import type { Workspace } from './workspace.ts';

/** Times before which records are deleted. */
export interface Retention {
  readonly auditFrom: Date;
  readonly trashFrom: Date;
  readonly historyFrom: Date;
}

/**
 * Returns what a workspace keeps.
 *
 * @param now ms since 1970
 * @returns undefined while `belvedere.yaml` has errors, since it may say that more is kept than by default
 */
export function retentionOf(
  { limits, problems }: Pick<Workspace, 'limits' | 'problems'>,
  now: number,
): Retention | undefined {
  if (problems.some(({ file }) => file === 'belvedere.yaml')) return undefined;
  return {
    auditFrom: new Date(now - limits.auditRetentionMs),
    trashFrom: new Date(now - limits.trashRetentionMs),
    historyFrom: new Date(now - limits.historyRetentionMs),
  };
}
