import type { OpenDashboard } from './dashboards.ts';

/** Whether the document is valid and data for at least one of its models is imported. */
export function isViewable({ document, state, models }: OpenDashboard): boolean {
  return document !== undefined && !(state === 'reading' && models.length === 0);
}
