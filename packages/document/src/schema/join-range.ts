import { z } from 'zod';

/**
 * A column with a time, and the columns of the other table that say from when to when a row there is valid:
 * `sold_on: [valid_from, valid_to]`. The last moment is not included; a row without an end is still valid.
 */
export const JoinRangeFile = z
  .record(z.string().max(300), z.tuple([z.string().max(300), z.string().max(300)]))
  .refine(range => Object.keys(range).length === 1, 'one column with its range');
export type JoinRangeFile = z.infer<typeof JoinRangeFile>;
