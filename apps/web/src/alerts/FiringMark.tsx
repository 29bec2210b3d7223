import type { AlertSummary } from '@belvedere/api';
import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { t } from '../messages/messages.ts';

/** The touch target is larger than the visible mark. */
const look =
  'no-print relative flex h-[18px] shrink-0 items-center gap-1 rounded-control bg-bad-weak px-1.5 text-11 ' +
  'font-medium text-bad hover:brightness-95 pointer-coarse:after:absolute pointer-coarse:after:-inset-3';

/** In a tile's header while alerts on it fire. It leads to the alert, or to the list if there are several. */
export function FiringMark({ alerts }: { readonly alerts: readonly AlertSummary[] }) {
  const label = t.alerts.firing(alerts.map(({ title }) => title).join(', '));
  const content = (
    <>
      <BellRing size={12} aria-hidden />
      {t.alerts.firingShort}
    </>
  );
  return alerts.length === 1 ? (
    <Link
      to="/alerts/$alert"
      params={{ alert: alerts[0]!.id }}
      aria-label={label}
      title={label}
      className={look}
    >
      {content}
    </Link>
  ) : (
    <Link to="/alerts" aria-label={label} title={label} className={look}>
      {content}
    </Link>
  );
}
