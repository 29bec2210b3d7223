import type { DashboardSummary } from '@belvedere/api';
import { t } from '../../messages/messages.ts';

/** Why a dashboard or some of its tiles cannot be shown; undefined if all can. */
export function troubleOf({
  state,
  tilesWithErrors = 0,
}: Pick<DashboardSummary, 'state' | 'tilesWithErrors'>):
  | { readonly tone: 'bad' | 'warn'; readonly text: string }
  | undefined {
  if (state !== 'ready') return { tone: state === 'broken' ? 'bad' : 'warn', text: t.states[state] };
  return tilesWithErrors > 0 ? { tone: 'warn', text: t.tilesWithErrors(tilesWithErrors) } : undefined;
}
