import { needsPeriods } from '@belvedere/alert';
import type { AlertFile, Tile } from '@belvedere/document';
import { isTemporal, type Model } from '@belvedere/model';
import { measureOf } from '@belvedere/query';
import { hasPeriods, measureIndex } from '../alerts/watchable.ts';
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

function checkWatched(alert: AlertFile, report: ReportProblem, all: Watched): void {
  const { watch } = alert;
  if ('model' in watch) return checkModel(alert, watch, report, all);
  const dashboard = all.dashboards.get(watch.dashboard);
  if (!dashboard)
    return report(['watch', 'dashboard'], unknownName('dashboard', watch.dashboard, all.dashboards.keys()));
  const { document } = dashboard;
  if (!document) return;
  const tiles = document.pages.flatMap(page => Object.entries(page.tiles));
  const [, tile] = tiles.find(([name]) => name === watch.tile) ?? [];
  if (!tile)
    return report(
      ['watch', 'tile'],
      unknownName(
        'tile',
        watch.tile,
        tiles.map(([name]) => name),
        watch.dashboard,
      ),
    );
  for (const { field, locked } of document.filters ?? [])
    if (locked && Object.hasOwn(watch.filters ?? {}, field))
      report(['watch', 'filters', field], `The dashboard locks its filter on \`${field}\`.`);
  const model = all.models.get(tile.model ?? document.model ?? '')?.model;
  if (!model || watch.tile in dashboard.brokenTiles) return;
  checkFilters(watch.filters, model, report);
  if (alert.when.missing !== undefined) return checkTime(model, report);
  try {
    measureIndex(alert, tile as Tile, model);
    if (needsPeriods(alert.when) && !hasPeriods(tile as Tile, model))
      report(
        ['when'],
        'This condition compares periods: watch a chart with a time axis, or a measure with `every`.',
      );
  } catch (error) {
    report(['watch', watch.measure === undefined ? 'tile' : 'measure'], (error as Error).message);
  }
}

function checkModel(
  { when }: AlertFile,
  watch: Extract<AlertFile['watch'], { model: string }>,
  report: ReportProblem,
  { models, modelsReading }: Watched,
): void {
  if (modelsReading.has(watch.model)) return;
  const model = models.get(watch.model)?.model;
  if (!model) return report(['watch', 'model'], unknownName('model', watch.model, models.keys()));
  try {
    measureOf(model, watch.measure);
  } catch (error) {
    report(['watch', 'measure'], (error as Error).message);
  }
  const isKnown = watch.by !== undefined && Object.hasOwn(model.dimensions, watch.by);
  const by = isKnown ? model.dimensions[watch.by!] : undefined;
  if (watch.by !== undefined && !by)
    report(['watch', 'by'], unknownName('dimension', watch.by, Object.keys(model.dimensions), watch.model));
  if (by && isTemporal(by.type)) report(['watch', 'by'], `\`${watch.by}\` is a time. Use \`every\` instead.`);
  checkFilters(watch.filters, model, report);
  if (when.missing !== undefined) return checkTime(model, report);
  if (watch.every !== undefined && model.time === undefined)
    report(['watch', 'every'], `The model \`${watch.model}\` has no \`time\`, so it has no periods.`);
  if (needsPeriods(when) && watch.every === undefined)
    report(['when'], 'This condition compares periods. Add `every: day` to `watch`.');
}

function checkFilters(filters: AlertFile['watch']['filters'], model: Model, report: ReportProblem): void {
  for (const field of Object.keys(filters ?? {}))
    if (!Object.hasOwn(model.dimensions, field))
      report(
        ['watch', 'filters', field],
        unknownName('dimension', field, Object.keys(model.dimensions), model.name),
      );
}

function checkTime(model: Model, report: ReportProblem): void {
  if (model.time === undefined && !model.watermark)
    report(
      ['when', 'missing'],
      `The model \`${model.name}\` has no \`time\`, so its data has no age. Set its \`time\` or \`watermark\`.`,
    );
}
