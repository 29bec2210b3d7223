import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { DocumentError } from '../../problems/document-error.ts';

/** The workspace’s documents as a whole. */
export const workspaceEndpoints = {
  addSample: endpoint({
    ...routes.addSample,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Add the sample’s data, models and dashboards to an empty workspace',
    response: z.object({}),
  }),
  validate: endpoint({
    ...routes.validate,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Check a document without saving it',
    body: z.strictObject({
      kind: z.enum([
        'access',
        'alert',
        'dashboard',
        'model',
        'report',
        'source',
        'table',
        'test',
        'translation',
        'workspace',
      ]),
      text: z.string().max(262_144),
    }),
    response: z.object({ errors: z.array(DocumentError) }),
  }),
  listProblems: endpoint({
    ...routes.listProblems,
    access: { on: 'workspace', role: 'editor' },
    summary:
      'List the problems of the documents that one may edit, and warnings about the data files that one may see',
    response: z.object({
      problems: z.array(
        z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() }),
      ),
      /** Open questions of imports, values that keep columns text, and rejected rows; not errors. */
      warnings: z.array(z.object({ file: z.string(), line: z.number().optional(), message: z.string() })),
    }),
  }),
} as const;
