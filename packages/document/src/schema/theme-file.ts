import { z } from 'zod';

export const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as `#0B7A5C`');

/**
 * The colours of a workspace or a dashboard. Belvedere lightens or darkens colours with too little contrast.
 */
export const ThemeFile = z.strictObject({
  /** For viewers who have not chosen a mode. */
  mode: z.enum(['light', 'dark']).optional(),
  /** The colour of single-colour marks, selected items and links. */
  accent: Colour.optional(),
  /** The colours of series, in order; the built-in colours follow. */
  series: z.array(Colour).min(1).max(8).optional(),
});
export type ThemeFile = z.infer<typeof ThemeFile>;

/** The colours of values, by dimension: the same on every tile, regardless of the other values shown. */
export const ValueColours = z.record(z.string(), z.record(z.string(), Colour));
export type ValueColours = z.infer<typeof ValueColours>;

export const Look = ThemeFile.extend({ colours: ValueColours.optional() });
export type Look = z.infer<typeof Look>;
