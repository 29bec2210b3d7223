import type { OpenDashboard } from './endpoints/dashboards/dashboards.ts';

/** Whether the document is readable and, during an import, at least one of its models is available. */
export function isViewable({ document, state, models }: OpenDashboard): boolean {
  return document !== undefined && !(state === 'importing' && models.length === 0);
}
