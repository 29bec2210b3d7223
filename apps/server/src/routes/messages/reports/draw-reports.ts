import { preferredLanguage } from '@belvedere/api';
import { readDocument, type ReportFile } from '@belvedere/document';
import { randomUUID } from 'node:crypto';
import { requireLevel } from '../../../access/may.ts';
import { ProblemError } from '../../../http/problems.ts';
import { composeMessages } from '../../../mail/compose.ts';
import type { ReportContent } from '../../../reports/render-report.ts';
import { previewReport } from '../../../reports/run-report.ts';
import { assembleReport } from '../../../workspace/assemble-report.ts';
import { plainProblem } from '../../../workspace/documents/document-repository.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Call, Handlers } from '../../contract/mount-contract.ts';
import type { ReportRouteServices } from './report-route-services.ts';

/** A preview is stopped after this time, as a run is. */
const longestMs = 55_000;

/** Endpoints that draw a report before it is saved, and that send it to its author. */
export function reportDrawingRoutes(
  services: ReportRouteServices,
): Pick<Handlers, 'previewReport' | 'sendReport'> {
  const { isTeam } = services;
  return {
    previewReport: async ({ body, ...call }) => {
      const content = await drawReport(body.text, call, services);
      const { title, settings } = services.workspace();
      const mail = composeMessages(
        call.caller.email ?? '',
        preferredLanguage([content.locale ?? settings.locale]),
        [{ ...content, kind: 'report', about: 'report:preview' }],
        { kind: 'user' },
        { workspace: title, address: services.address() },
      );
      return {
        subject: mail.subject,
        html: withPictures(mail.html, mail.images ?? []),
        files: content.files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
      };
    },

    sendReport: async ({ body, ...call }) => {
      const { caller } = call;
      if (!isTeam || caller.email === undefined)
        throw new ProblemError(
          'request-invalid',
          'Sending to yourself needs an account with an e-mail address.',
        );
      if (!services.hasMail())
        throw new ProblemError(
          'request-invalid',
          'This server sends no mail. An admin sets a mail server in `belvedere.yaml`.',
        );
      const content = await drawReport(body.text, call, services);
      await services.deliver({
        ...content,
        kind: 'report',
        about: `report:to:${caller.userId}`,
        key: `report:send:${randomUUID()}`,
        to: [{ kind: 'user', userId: caller.userId }],
        requires: [],
      });
      return { to: caller.email };
    },
  };
}

/** Draws a report for its author, within the time of a request. */
async function drawReport(
  text: string,
  { caller, granted, signal }: Pick<Call, 'caller' | 'granted' | 'signal'>,
  services: ReportRouteServices,
): Promise<ReportContent> {
  const document = readReport(text, granted());
  requireLevel(caller, { kind: 'dashboard', id: document.dashboard }, 'view', services.workspace());
  const limit = AbortSignal.timeout(longestMs);
  try {
    return await previewReport(document, caller, services, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted)
      throw new ProblemError(
        'query-timeout',
        `This took longer than ${longestMs / 1000} seconds to draw. Choose fewer pages or files.`,
      );
    throw error;
  }
}

/** @throws ProblemError `document-invalid` with every error */
function readReport(text: string, granted: Workspace): ReportFile {
  const file = 'reports/preview.yaml';
  const read = readDocument('report', text, file);
  const problems = read.ok
    ? assembleReport('preview', { file, text, read, updated: '' }, granted).problems
    : read.problems;
  if (read.ok && problems.length === 0) return read.value;
  throw new ProblemError('document-invalid', `${problems[0]!.message} (line ${problems[0]!.line})`, {
    errors: problems.map(plainProblem),
  });
}

/** Returns a mail's HTML with its pictures in it. */
function withPictures(
  html: string,
  images: readonly { readonly cid: string; readonly png: Uint8Array }[],
): string {
  return images.reduce(
    (page, { cid, png }) =>
      page.replace(`cid:${cid}`, `data:image/png;base64,${Buffer.from(png).toString('base64')}`),
    html,
  );
}
