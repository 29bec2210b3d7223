import { expect, test } from 'vitest';
import { isRepeatedTime, offsetAt } from './zone.ts';

const hour = 3_600_000;

test.each([
  ['Europe/Berlin', '2024-10-27T00:30:00Z', 2, true],
  ['Europe/Berlin', '2024-10-27T01:30:00Z', 1, true],
  ['Europe/Berlin', '2024-10-26T23:59:59Z', 2, false],
  ['Europe/Berlin', '2024-10-27T02:00:00Z', 1, false],
  ['Europe/Berlin', '2024-03-31T01:00:00Z', 2, false],
  ['America/New_York', '2024-11-03T06:00:00Z', -5, true],
  ['Australia/Lord_Howe', '2024-04-06T14:45:00Z', 11, true],
  ['Australia/Lord_Howe', '2024-04-06T14:15:00Z', 11, false],
  ['Asia/Kolkata', '1960-01-01T00:00:00Z', 5.5, false],
  ['UTC', '2024-10-27T01:00:00Z', 0, false],
] as const)('the clock of %s at %s is %d h from UTC; shown twice: %s', (zone, time, hours, isRepeated) => {
  expect([offsetAt(zone, Date.parse(time)) / hour, isRepeatedTime(zone, Date.parse(time))]).toEqual([
    hours,
    isRepeated,
  ]);
});
