import type { DashboardSummary } from '@belvedere/api';
import { BadgeCheck } from 'lucide-react';
import { locale, t } from '../messages/messages.ts';

/** Says that a user has checked a dashboard as it is now; shows nothing otherwise. */
export function VerifiedBadge({ record }: Pick<DashboardSummary, 'record'>) {
  const verified = record?.verified;
  if (!verified) return null;
  const date = (text: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(text));
  const label = t.home.verifiedBy(
    verified.by?.name ?? t.home.formerUser,
    date(verified.at),
    date(verified.until),
  );
  return (
    <span role="img" aria-label={label} title={label} className="ms-1.5 inline-flex shrink-0 text-accent">
      <BadgeCheck size={15} aria-hidden />
    </span>
  );
}
