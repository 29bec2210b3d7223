import { joinSentences, type MatchCount, type TableRelationship } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { locale } from '../messages/messages.ts';
import { words } from './messages/words.ts';
import type { Ends } from './relationship-key.ts';

/** The matching rows in a sentence with figures. */
export function matchText({ from, to }: Ends, { rows, matched, isSampled }: MatchCount): string {
  const sentence =
    rows === 0
      ? words.matchesNothing(from.table)
      : matched === rows
        ? words.matchesAll(count(rows), from.table, to.table)
        : words.matchesSome(count(matched), count(rows), shareText(matched / rows), from.table, to.table);
  return joinSentences([sentence, isSampled ? words.sampled : '']);
}

/** A share is never rounded up to all. */
export function shareText(share: number): string {
  return formatNumber(Math.floor(share * 1000) / 1000, 'percent', locale, 'full');
}

export const count = (value: number) => formatNumber(value, 'integer', locale, 'full');

/** What is known about a relationship: why it is not used, and where it comes from. */
export function reasonText({ verdict, reason, origin }: TableRelationship): string {
  return verdict !== 'used' && reason ? words.reasons[reason] : words.origins[origin];
}

/** `orders.customer_id → customers.customer_id` */
export function nameOf({ from, to, between }: Ends): string {
  const range = between ? ` (${words.during(between.column, between.begin, between.end)})` : '';
  return `${endText(from)} → ${endText(to)}${range}`;
}

export function endText({ table, columns }: TableRelationship['from']): string {
  return columns.map(column => `${table}.${column}`).join(' + ');
}
