import { calendarOf, type DashboardFile, type ReportFile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { filterOn, QueryError } from '@belvedere/query';
import type { DocumentText } from './documents/read-documents.ts';
import { scheduledDocument, unknownName, type ReportProblem } from './scheduled-document.ts';
import { modelsNamed, type ScheduledDocument, type Workspace } from './workspace.ts';

type Filters = NonNullable<ReportFile['filters']>;
type Around = Pick<Workspace, 'dashboards' | 'models' | 'modelsReading' | 'modelsWaiting' | 'settings'>;

/** Combines a report's text with its dashboard. */
export function assembleReport(
  id: string,
  text: DocumentText<'report'>,
  workspace: Around,
): ScheduledDocument<ReportFile> {
  return scheduledDocument(id, text, (document, report) => {
    const { dashboard: name } = document;
    const dashboard = workspace.dashboards.get(name);
    if (!dashboard) return report(['dashboard'], unknownName('dashboard', name, workspace.dashboards.keys()));
    if (!dashboard.document) return;
    checkParts(document, dashboard.document, report);
    checkFilters(['filters'], document.filters, dashboard.document, workspace, report);
    for (const [i, { filters }] of (document.each ?? []).entries())
      checkFilters(['each', i, 'filters'], filters, dashboard.document, workspace, report);
  });
}

function checkParts(
  { dashboard, pages = [], parameters = {}, onlyIf }: ReportFile,
  shown: DashboardFile,
  report: ReportProblem,
): void {
  const count = shown.pages.length;
  for (const [i, page] of pages.entries())
    if (page > count)
      report(
        ['pages', i],
        `The dashboard \`${dashboard}\` has only ${count === 1 ? 'one page' : `${count} pages`}.`,
      );
  const known = Object.keys(shown.parameters ?? {});
  for (const name of Object.keys(parameters))
    if (!known.includes(name)) report(['parameters', name], unknownName('parameter', name, known, dashboard));
  if (onlyIf?.tile === undefined) return;
  const tiles = new Map(shown.pages.flatMap(page => Object.entries(page.tiles)));
  const tile = tiles.get(onlyIf.tile);
  const figures = [...tiles].flatMap(([id, { kind }]) => (kind === 'kpi' ? [id] : []));
  if (!tile) report(['onlyIf', 'tile'], unknownName('tile', onlyIf.tile, figures, dashboard));
  else if (tile.kind !== 'kpi')
    report(['onlyIf', 'tile'], `\`${onlyIf.tile}\` is not a single figure. Name a tile of the kind \`kpi\`.`);
}

/** Checks the fields of filters, and that their conditions fit. */
function checkFilters(
  path: readonly PropertyKey[],
  filters: Filters = {},
  shown: DashboardFile,
  { models, modelsReading, modelsWaiting, settings }: Around,
  report: ReportProblem,
): void {
  const named = modelsNamed(shown);
  const found = named.flatMap(name => models.get(name)?.model ?? []);
  // Fields of a model whose data is still being imported are not known yet.
  const isWhole = named.every(
    name => models.has(name) && !modelsReading.has(name) && !modelsWaiting.has(name),
  );
  const clock = { now: 0, calendar: calendarOf(settings, shown) };
  for (const [field, condition] of Object.entries(filters)) {
    const at = [...path, field];
    if (shown.filters?.some(filter => filter.field === field && filter.locked))
      report(at, `The dashboard’s filter on \`${field}\` is locked, so a report cannot change it.`);
    const owners = found.filter(model => Object.hasOwn(model.dimensions, field));
    if (owners.length === 0 && isWhole) report(at, unknownName('field', field, dimensionsOf(found)));
    for (const model of owners) {
      const problem = misfit(model, field, condition, clock);
      if (problem !== undefined) report(at, problem);
    }
  }
}

const dimensionsOf = (models: readonly Model[]): string[] => [
  ...new Set(models.flatMap(model => Object.keys(model.dimensions))),
];

function misfit(...filter: Parameters<typeof filterOn>): string | undefined {
  try {
    filterOn(...filter);
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}
