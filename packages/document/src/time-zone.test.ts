import { expect, test } from 'vitest';
import { isTimeZone, spelledZone } from './time-zone.ts';

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['eUROPE/berlin', true],
  ['Europe/Berln', false],
  ['', false],
  // PostgreSQL reads offsets with the opposite sign.
  ['+02:00', false],
  ['-0530', false],
  ['+02', false],
])('%j is a time zone: %s', (zone, isZone) => {
  expect(isTimeZone(zone)).toBe(isZone);
});

test('a time zone has one spelling, however it is written', () => {
  expect(['eUROPE/berlin', 'Europe/Berlin', 'utc'].map(spelledZone)).toEqual([
    'Europe/Berlin',
    'Europe/Berlin',
    'UTC',
  ]);
});
