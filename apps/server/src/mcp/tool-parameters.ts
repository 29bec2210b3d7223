import { z } from 'zod';

export const kind = z.enum(['dashboard', 'model']).describe('kind of document');
/** A list of words, which may be left out. */
export const words = (what: string) => z.array(z.string()).optional().describe(what);
export const modelName = z.string().describe('name of the model, from list_models');
export const dashboardName = z
  .string()
  .describe('path of the dashboard, from list_dashboards: `flight-delays`, `overview/flights`');
export const documentName = z.string().describe('path of a dashboard, `team/delays`, or name of a model');
export const documentText = z.string().describe('the full YAML text');

/** What every tool but `write_document` declares. */
export const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
