import type { AuditEntry } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { auditCsv } from './audit-csv.ts';

const header = ['Time', 'User', 'IP address', 'Action', 'Object', 'Result', 'Detail'] as const;
const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: '2026-11-28T20:35:00.000Z',
  action: 'user.sign-in',
  outcome: 'done',
  ...more,
});
const linesOf = (...entries: AuditEntry[]) => auditCsv(entries, header).slice(1).split('\r\n');

describe('the audit log as CSV', () => {
  test('has a header, a line for each entry, and nothing for absent values', () => {
    expect(linesOf(entry({ actor: 'Ada <ada@example.com>', address: '::1' }), entry({}))).toEqual([
      'Time,User,IP address,Action,Object,Result,Detail',
      '2026-11-28T20:35:00.000Z,Ada <ada@example.com>,::1,user.sign-in,,done,',
      '2026-11-28T20:35:00.000Z,,,user.sign-in,,done,',
      '',
    ]);
  });

  test('begins with a byte order mark', () => {
    expect(auditCsv([], header).codePointAt(0)).toBe(0xfeff);
  });

  test('quotes commas, quotes and line breaks', () => {
    const [, line] = auditCsv([entry({ object: 'Sales, “EU”', detail: 'a "b"\nc' })], header)
      .slice(1)
      .split(/\r\n/);
    expect(line).toBe('2026-11-28T20:35:00.000Z,,,user.sign-in,"Sales, “EU”",done,"a ""b""\nc"');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('keeps %j from being a formula', text => {
    expect(linesOf(entry({ object: text }))[1]).toContain(`,'${text},done`);
  });
});
