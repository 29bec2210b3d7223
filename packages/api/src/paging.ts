import { z } from 'zod';

/**
 * The parameters of a list that is read in pages, as part of its `query`.
 * @param maxLimit the largest page that may be asked for
 * @param defaultLimit the size of a page without `limit`
 */
export const pageParameters = (maxLimit: number, defaultLimit: number) => ({
  /** `nextCursor` of the page before; absent for the first page. */
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
});

/** Where the next page begins; absent on the last one. Its content is the server's own. */
export const NextCursor = z.string().optional();
