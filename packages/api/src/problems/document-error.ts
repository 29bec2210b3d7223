import { z } from 'zod';

export const DocumentError = z.object({
  file: z.string(),
  path: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
  suggestion: z.string().optional(),
});
export type DocumentError = z.infer<typeof DocumentError>;
