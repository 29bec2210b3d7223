import { z } from 'zod';

/** What an error looks like on the wire (RFC 9457). `type` is one of our codes; each has a page in docs/errors. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    /** What to do next. */
    detail: z.string().optional(),
    /** The request's id, also in the log. */
    instance: z.string().optional(),
    errors: z
      .array(z.object({ file: z.string().optional(), path: z.string(), line: z.number().optional(), column: z.number().optional(), message: z.string(), suggestion: z.string().optional() }))
      .optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** A request that was answered with a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}
