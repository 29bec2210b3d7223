import type { Revision } from '../../state/documents/revisions.ts';
import { largestInteger, readPage } from '../contract/cursors.ts';

/** Returns a page of a document's revisions, newest first. */
export async function revisionsPage(
  query: { readonly cursor?: string | undefined; readonly limit: number },
  read: (page: { readonly before?: number; readonly limit: number }) => Promise<Revision[]>,
): Promise<{ readonly revisions: Revision[]; readonly nextCursor?: string }> {
  const { entries, ...next } = await readPage(
    'revisions',
    query,
    [largestInteger],
    (after, limit) => read({ limit, ...(after && { before: after[0] }) }),
    ({ number }): [number] => [number],
  );
  return { revisions: [...entries], ...next };
}
