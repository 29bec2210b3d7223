import { z } from 'zod';

const SecretName = z.object({ from: z.enum(['env', 'file']), name: z.string() });

/**
 * What a source does once it is confirmed: which server it connects to, as whom, and which secrets it uses; or which file outside the workspace
 * it reads. Secrets are named, never shown.
 */
export const SourceAccess = z.object({
  host: z.string().optional(),
  port: z.number().optional(),
  database: z.string().optional(),
  user: z.string().optional(),
  /** `authority`: only certificates that the named authority signed; `local`: not needed, on this very machine. */
  tls: z.enum(['verified', 'authority', 'local', 'off']).optional(),
  password: SecretName.optional(),
  authority: SecretName.optional(),
  path: z.string().optional(),
});
export type SourceAccess = z.infer<typeof SourceAccess>;
