import type { ReportFile } from '@belvedere/document';
import type { DocumentText } from './documents/read-documents.ts';
import { scheduledDocument, unknownName } from './scheduled-document.ts';
import type { ScheduledDocument, Workspace } from './workspace.ts';

/** Combines a report's text with its dashboard. */
export function assembleReport(
  id: string,
  text: DocumentText<'report'>,
  { dashboards }: Pick<Workspace, 'dashboards'>,
): ScheduledDocument<ReportFile> {
  return scheduledDocument(id, text, ({ dashboard: name, pages = [] }, report) => {
    const dashboard = dashboards.get(name);
    if (!dashboard) return report(['dashboard'], unknownName('dashboard', name, dashboards.keys()));
    const count = dashboard.document?.pages.length;
    for (const [i, page] of pages.entries())
      if (count !== undefined && page > count)
        report(
          ['pages', i],
          `The dashboard \`${name}\` has only ${count === 1 ? 'one page' : `${count} pages`}.`,
        );
  });
}
