import { z } from 'zod';
import { Name } from './names.ts';

const Value = z.union([z.string(), z.number()]);

/** The condition for showing a tile; all of its parts must hold. */
export const ShowIf = z
  .strictObject({
    /** A parameter whose value is one of `is`. */
    parameter: Name.optional(),
    is: z.union([Value, z.array(Value).min(1).max(40)]).optional(),
    /** A field that the filter bar filters, or does not filter. */
    filtered: z.string().optional(),
    notFiltered: z.string().optional(),
    /** A tile that has a selection, or has none. */
    selected: z.string().optional(),
    notSelected: z.string().optional(),
  })
  .refine(({ parameter, is }) => (parameter === undefined) === (is === undefined), {
    error: '`parameter` and `is` must be used together: `showIf: { parameter: view, is: table }`',
    path: ['is'],
  });
export type ShowIf = z.infer<typeof ShowIf>;
