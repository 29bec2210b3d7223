import { expect, test } from 'vitest';
import { backupCodeHash, isBackupCode, newBackupCodes } from './backup-codes.ts';

test('there are ten backup codes of 120 bits, all different', () => {
  const codes = newBackupCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){5}[A-HJ-NP-Z2-9]{4}$/);
});

test('a backup code is known in small letters and with other spaces', () => {
  expect(backupCodeHash('abcd efgh jklm npqr')).toBe(backupCodeHash('ABCD-EFGH-JKLM-NPQR'));
  expect(backupCodeHash('ABCD-EFGH-JKLM-NPQR')).not.toContain('ABCD');
});

test.each([
  ['ABCD-EFGH-JKLM-NPQR-STUV-WXYZ', true],
  ['abcd efgh jklm npqr stuv wxyz', true],
  ['ABCD-EFGH-JKLM-NPQR-STUV', false],
  // Of an earlier version.
  ['ABCD-EFGH-JKLM-NPQR', true],
  ['abcdefghjklmnpqr', true],
  ['123456', false],
  ['123 456', false],
  ['', false],
])('%o is a backup code: %o', (text, expected) => {
  expect(isBackupCode(text)).toBe(expected);
});
