import { z } from 'zod';

/** Limited in size like documents; reading the document checks the rest. */
export const DocumentText = z.string().max(262_144);

/**
 * `draft`: the version of the draft that the save replaces and deletes. A draft of another version is kept.
 */
export const SavedText = z.strictObject({
  text: DocumentText,
  message: z.string().max(500).optional(),
  draft: z.number().int().min(0).optional(),
});

export const Revision = z
  .object({
    number: z.number(),
    at: z.string(),
    /** Saved in Belvedere, or changed on disk by another program. */
    origin: z.enum(['saved', 'disk']),
    message: z.string(),
    hash: z.string(),
    /** The name of the user who saved it, while the account exists. */
    author: z.string().optional(),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;
