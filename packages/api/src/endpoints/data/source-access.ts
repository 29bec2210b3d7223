import { z } from 'zod';

export const SecretName = z.object({ from: z.enum(['env', 'file']), name: z.string() });

/**
 * A source's access after confirmation: its server, user and secrets, or its file outside the workspace.
 * Secrets appear by name only, never by value.
 */
export const SourceAccess = z.object({
  host: z.string().optional(),
  port: z.number().optional(),
  database: z.string().optional(),
  user: z.string().optional(),
  /**
   * `authority`: only certificates signed by the named authority. `local`: not needed, the server is on this
   * machine.
   */
  tls: z.enum(['verified', 'authority', 'local', 'off']).optional(),
  password: SecretName.optional(),
  authority: SecretName.optional(),
  path: z.string().optional(),
});
export type SourceAccess = z.infer<typeof SourceAccess>;
