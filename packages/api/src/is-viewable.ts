import type { OpenDashboard } from './dashboards.ts';

/** It is readable, and some of what its tiles are made of has been read. */
export function isViewable({ document, state, models }: OpenDashboard): boolean {
  return document !== undefined && !(state === 'reading' && models.length === 0);
}
