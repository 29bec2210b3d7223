import type { AlertFile } from '@belvedere/document';
import type { DocumentText } from './documents/read-documents.ts';
import { scheduledDocument, unknownName, type ReportProblem } from './scheduled-document.ts';
import type { ScheduledDocument, Workspace } from './workspace.ts';

type Watched = Pick<Workspace, 'dashboards' | 'models' | 'modelsReading'>;

/** Combines an alert's text with the dashboard or model that it watches. */
export function assembleAlert(
  id: string,
  text: DocumentText<'alert'>,
  watched: Watched,
): ScheduledDocument<AlertFile> {
  return scheduledDocument(id, text, (document, report) => checkWatched(document, report, watched));
}

function checkWatched(
  { watch }: AlertFile,
  report: ReportProblem,
  { dashboards, models, modelsReading }: Watched,
): void {
  if ('model' in watch) {
    if (!models.has(watch.model) && !modelsReading.has(watch.model))
      report(['watch', 'model'], unknownName('model', watch.model, models.keys()));
    return;
  }
  const dashboard = dashboards.get(watch.dashboard);
  if (!dashboard)
    return report(['watch', 'dashboard'], unknownName('dashboard', watch.dashboard, dashboards.keys()));
  const tiles = dashboard.document?.pages.flatMap(page => Object.keys(page.tiles));
  if (tiles && !tiles.includes(watch.tile))
    report(['watch', 'tile'], unknownName(`tile of \`${watch.dashboard}\``, watch.tile, tiles));
}
