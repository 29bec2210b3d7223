import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const scheduledParams = z.object({ id: z.string().max(300) });
/** Limited in size like documents; reading the document checks the rest. */
const ScheduledText = z.string().max(262_144);

const StoredText = z.object({ id: z.string(), file: z.string(), text: z.string(), hash: z.string() });
const SavedText = z.strictObject({ text: ScheduledText });

/** Endpoints for the texts of alerts and reports, which their owners and admins change. */
export const scheduledDocumentEndpoints = {
  getAlertText: endpoint({
    ...routes.getAlertText,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Get an alert’s text; for its owner and admins',
    params: scheduledParams,
    response: StoredText,
  }),
  saveAlertText: endpoint({
    ...routes.saveAlertText,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Save an alert’s text; for the owner that it names, and admins',
    params: scheduledParams,
    replaces: 'document',
    body: SavedText,
    response: z.object({ hash: z.string() }),
  }),
  removeAlert: endpoint({
    ...routes.removeAlert,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Move an alert to the trash; for its owner and admins',
    params: scheduledParams,
    response: z.object({ number: z.number() }),
  }),
  getReportText: endpoint({
    ...routes.getReportText,
    access: { on: 'workspace', role: 'explorer' },
    summary: 'Get a report’s text; for its owner and admins',
    params: scheduledParams,
    response: StoredText,
  }),
  saveReportText: endpoint({
    ...routes.saveReportText,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Save a report’s text; for the owner that it names, and admins',
    params: scheduledParams,
    replaces: 'document',
    body: SavedText,
    response: z.object({ hash: z.string() }),
  }),
  removeReport: endpoint({
    ...routes.removeReport,
    access: { on: 'workspace', role: 'explorer' },
    summary: 'Move a report to the trash; for its owner and admins',
    params: scheduledParams,
    response: z.object({ number: z.number() }),
  }),
} as const;
