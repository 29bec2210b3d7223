import { z } from 'zod';
import { Label } from './names.ts';

const objectKeys = ['dashboard', 'folder', 'model', 'source'] as const;
const subjectKeys = ['everyone', 'group', 'user'] as const;
const Path = z.string().max(300);

const AccessGrant = z
  .strictObject({
    dashboard: Path.optional(),
    /** A folder of dashboards with all that is in it; empty for all dashboards. */
    folder: Path.optional(),
    model: Path.optional(),
    /** A source with its models; `files` for the workspace's files. */
    source: Path.optional(),
    everyone: z.literal(true).optional(),
    group: Label.optional(),
    /** An e-mail address, or the name of a service account. */
    user: z
      .string()
      .toLowerCase()
      .pipe(z.union([z.email(), z.string().regex(/^[a-z][a-z0-9-]{0,62}$/)]))
      .optional(),
    level: z.enum(['view', 'explore', 'edit', 'manage']),
    exportRows: z.number().int().min(1).max(100_000_000).optional().meta({
      description: 'rows of a table in one export, at most; by default those of the workspace',
    }),
  })
  .refine(grant => only(grant, objectKeys), `exactly one of ${objectKeys.join(', ')}`)
  .refine(grant => only(grant, subjectKeys), `exactly one of ${subjectKeys.join(', ')}`);

/** `access.yaml`, or a file in `access/`: grants that are reviewed with the other files. The interface shows them, read-only. */
export const AccessFile = z
  .strictObject({ version: z.literal(1), grants: z.array(AccessGrant).max(5000).optional() })
  .meta({ title: 'Who may see what in a Belvedere workspace' });
export type AccessFile = z.infer<typeof AccessFile>;

function only(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.filter(key => value[key] !== undefined).length === 1;
}
