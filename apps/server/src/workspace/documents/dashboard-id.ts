import { ProblemError } from '../../http/problems.ts';

/** Prefix of a draft's ID. No file can have such an ID. */
export const draftPrefix = 'draft:';
/** Prefix of explorations of a model: drafts without a file, never saved as such. */
export const explorePrefix = 'explore:';
/** The ID of an earlier revision, with its number: `revision:12:ID`. */
const revisionId = /^revision:(\d+):(.+)$/;

/** Folders and a name, without dots, so that no path leads upwards. */
const idPattern = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}\/){0,6}[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}$/u;

/** Returns a valid ID. @throws ProblemError `request-invalid` */
export function checkedId(id: string): string {
  if (!idPattern.test(id))
    throw new ProblemError(
      'request-invalid',
      'A dashboard’s address can have letters, digits, spaces, - and _, with / between folders.',
    );
  return id;
}

/** The dashboard and the number of an earlier revision's ID; undefined for other IDs. */
export function revisionIn(id: string): { readonly dashboard: string; readonly number: number } | undefined {
  const [, number, dashboard] = revisionId.exec(id) ?? [];
  return dashboard === undefined ? undefined : { dashboard, number: Number(number) };
}

/** Whether an ID is that of a file or a table, and not of a draft or an earlier revision. */
export function isPublished(id: string): boolean {
  return !id.startsWith(draftPrefix) && revisionIn(id) === undefined;
}

export function dashboardNotFound(): ProblemError {
  return new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
}
