import { z } from 'zod';

/**
 * The parameters of a list that is read in pages, as part of its `query`.
 * @param most the largest page that may be asked for
 * @param usual the size of a page without `limit`
 */
export const pageParameters = (most: number, usual: number) => ({
  /** `nextCursor` of the page before; absent for the first page. */
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(most).default(usual),
});

/** Where the next page begins; absent on the last one. Its content is the server's own. */
export const NextCursor = z.string().optional();
