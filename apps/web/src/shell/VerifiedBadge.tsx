import type { DashboardSummary } from '@belvedere/api';
import { Popover } from '@belvedere/ui';
import { BadgeCheck } from 'lucide-react';
import { localTimeFormat } from '../data/session/own-zone.ts';
import { t } from '../messages/messages.ts';

/** Says that a user has checked a dashboard as it is now; shows nothing otherwise. */
export function VerifiedBadge({ record }: Pick<DashboardSummary, 'record'>) {
  const label = verifiedText(record);
  return label === undefined ? null : <Badge label={label} />;
}

/** The same, with a press that shows by whom and until when: fingers and keys have no tooltip. */
export function VerifiedButton({ record }: Pick<DashboardSummary, 'record'>) {
  const label = verifiedText(record);
  if (label === undefined) return null;
  return (
    <Popover
      label={t.home.filters.verified}
      trigger={<Badge label={label} />}
      triggerClassName="flex shrink-0 items-center self-stretch rounded-control pe-1.5"
    >
      <p className="text-13">{label}</p>
    </Popover>
  );
}

function verifiedText(record: DashboardSummary['record']): string | undefined {
  const verified = record?.verified;
  if (!verified) return undefined;
  const date = (text: string) => localTimeFormat({ dateStyle: 'medium' }).format(new Date(text));
  return t.home.verifiedBy(verified.by?.name ?? t.home.formerUser, date(verified.at), date(verified.until));
}

function Badge({ label }: { readonly label: string }) {
  return (
    <span role="img" aria-label={label} title={label} className="ms-1.5 inline-flex shrink-0 text-accent">
      <BadgeCheck size={15} aria-hidden />
    </span>
  );
}
