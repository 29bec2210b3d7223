import { z } from 'zod';
import { Name } from './names.ts';

const Value = z.union([z.string(), z.number()]);

/** When a tile is shown: everything that it says must hold. */
export const ShowIf = z
  .strictObject({
    /** A parameter that has one of the values of `is`. */
    parameter: Name.optional(),
    is: z.union([Value, z.array(Value).min(1).max(40)]).optional(),
    /** A field that the filter bar narrows, or does not. */
    filtered: z.string().optional(),
    notFiltered: z.string().optional(),
    /** A tile on which something is selected, or nothing. */
    selected: z.string().optional(),
    notSelected: z.string().optional(),
  })
  .refine(({ parameter, is }) => (parameter === undefined) === (is === undefined), {
    error: '`parameter` and `is` must be used together: `showIf: { parameter: view, is: table }`',
    path: ['is'],
  });
export type ShowIf = z.infer<typeof ShowIf>;
