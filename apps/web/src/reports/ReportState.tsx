import type { ReportSummary } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { words } from './messages/words.ts';

const tones = {
  scheduled: 'good',
  paused: 'neutral',
  stopped: 'warn',
  failed: 'bad',
  invalid: 'bad',
} as const;

export function ReportState({ state }: Pick<ReportSummary, 'state'>) {
  return <StateChip tone={tones[state]}>{words.states[state]}</StateChip>;
}
