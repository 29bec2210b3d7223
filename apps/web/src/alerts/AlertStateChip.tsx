import type { AlertStateName } from '@belvedere/api';
import {
  BellRing,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  Hourglass,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { words } from './messages/words.ts';
import { toneOf } from './alert-texts.ts';

const icons: Readonly<Record<AlertStateName, LucideIcon>> = {
  ok: CircleCheck,
  pending: Hourglass,
  firing: BellRing,
  noData: CircleHelp,
  error: TriangleAlert,
  unchecked: CircleDashed,
  paused: CirclePause,
  invalid: TriangleAlert,
  stopped: TriangleAlert,
};

const tones = {
  neutral: 'bg-hover text-text-2',
  good: 'bg-good-weak text-good',
  warn: 'bg-warn-weak text-warn',
  bad: 'bg-bad-weak text-bad',
  accent: 'bg-accent-weak text-accent-text',
};

/** The state of an alert as an icon and a word. */
export function AlertStateChip({ state }: { readonly state: AlertStateName }) {
  const Icon = icons[state];
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-full px-2 text-12 font-medium whitespace-nowrap ${tones[toneOf[state]]}`}
    >
      <Icon size={12} aria-hidden />
      {words.states[state]}
    </span>
  );
}
