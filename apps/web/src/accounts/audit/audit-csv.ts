import type { AuditEntry } from '@belvedere/api';

/**
 * Returns entries of the audit log as CSV (RFC 4180), with a byte order mark, by which Excel reads UTF-8.
 * @param header the columns' titles
 */
export function auditCsv(
  entries: readonly AuditEntry[],
  header: readonly [
    time: string,
    who: string,
    address: string,
    action: string,
    object: string,
    outcome: string,
    detail: string,
  ],
): string {
  const lines = entries.map(({ at, actor, address, action, object, outcome, detail }) => [
    at,
    actor,
    address,
    action,
    object,
    outcome,
    detail,
  ]);
  return `\ufeff${[header, ...lines].map(cells => cells.map(cellText).join(',')).join('\r\n')}\r\n`;
}

/** Spreadsheets take cells that begin like a formula for one; users choose names and titles. */
function cellText(value = ''): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
