import type { ListedQuery } from '@belvedere/api';
import { words } from '../../../accounts/messages/words.ts';
import { locale } from '../../../messages/messages.ts';

/** A duration in its two largest units: `2 hr 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const;
  const first = parts.findIndex(([, count]) => count > 0);
  if (first === -1) return unitText(0, 'second');
  return parts
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => unitText(count, unit))
    .join(' ');
}

function unitText(count: number, unit: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
}

export const countText = (count: number): string => count.toLocaleString(locale);

/** What a query is for: `Sales › Revenue by country`. */
export function queryTitle({ kind, dashboard, tile, model, source }: ListedQuery): string {
  const from = source === 'files' ? words.system.files : source;
  if (kind === 'export') return words.system.kinds.export(dashboard?.title ?? model ?? from);
  if (kind === 'sql') return words.system.kinds.sql(from);
  if (kind === 'explore') return words.system.kinds.explore(model ?? from);
  if (dashboard) return tile === undefined ? dashboard.title : `${dashboard.title} › ${tile}`;
  return words.system.kinds.model(model ?? from);
}
