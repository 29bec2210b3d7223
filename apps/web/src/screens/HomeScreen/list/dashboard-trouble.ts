import type { DashboardSummary } from '@belvedere/api';
import { t } from '../../../messages/messages.ts';

/** Why a dashboard or some of its tiles cannot be shown, or not with all rows yet; undefined if all can. */
export function troubleOf({
  state,
  tilesWithErrors = 0,
  showsPart,
}: Pick<DashboardSummary, 'state' | 'tilesWithErrors' | 'showsPart'>):
  | { readonly tone: 'bad' | 'warn'; readonly text: string }
  | undefined {
  if (state !== 'ready') return { tone: state === 'broken' ? 'bad' : 'warn', text: t.states[state] };
  if (tilesWithErrors > 0) return { tone: 'warn', text: t.tilesWithErrors(tilesWithErrors) };
  return showsPart ? { tone: 'warn', text: t.states.importing } : undefined;
}
