import type { DashboardSummary } from '@belvedere/api';
import { useState } from 'react';
import { locale } from '../../../messages/messages.ts';
import { relativeTime } from '../../../messages/relative-time.ts';
import { localTimeFormat } from '../../../data/session/own-zone.ts';

/** How long ago its file was changed. */
export function UpdatedTime({ dashboard: { updated } }: { readonly dashboard: DashboardSummary }) {
  const [now] = useState(() => new Date());
  if (!updated) return '–';
  const at = new Date(updated);
  return (
    <time dateTime={updated} title={localTimeFormat({ dateStyle: 'long', timeStyle: 'short' }).format(at)}>
      {relativeTime(at, now, locale)}
    </time>
  );
}
