import { z } from 'zod';

export const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as `#0B7A5C`');

/** How a workspace or a dashboard looks, beside what is legible: colours are made lighter or darker where they would not stand out. */
export const ThemeFile = z.strictObject({
  /** For readers who have chosen neither. */
  mode: z.enum(['light', 'dark']).optional(),
  /** Marks of one colour, what is chosen, links. */
  accent: Colour.optional(),
  /** Of series, in their order; ours come after them. */
  series: z.array(Colour).min(1).max(8).optional(),
});
export type ThemeFile = z.infer<typeof ThemeFile>;

/** The colour of a value, by its dimension: the same on every tile, whatever else is shown. */
export const ValueColours = z.record(z.string(), z.record(z.string(), Colour));
export type ValueColours = z.infer<typeof ValueColours>;

export const Look = ThemeFile.extend({ colours: ValueColours.optional() });
export type Look = z.infer<typeof Look>;
