import type { ScheduleFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { describeSchedule, onDays, presetOf } from './describe-schedule.ts';
import { en } from './messages/en.ts';

describe('a schedule in words', () => {
  test.each([
    [{ at: '08:00' }, 'Every day at 08:00'],
    [{ at: '08:00', days: 'weekdays' }, 'Every weekday at 08:00'],
    [{ at: '09:30', days: ['monday'] }, 'Every Monday at 09:30'],
    [{ at: '09:30', days: ['friday', 'monday'] }, 'Monday and Friday at 09:30'],
    [{ at: '06:00', days: [1] }, 'First of the month at 06:00'],
    [{ at: '06:00', days: [1, 15] }, 'On day 1 and 15 of the month at 06:00'],
    [{ at: '18:00', days: 'last working day' }, 'Last working day of the month at 18:00'],
  ] as const)('%j is %s', (schedule, text) => {
    expect(describeSchedule(schedule as unknown as ScheduleFile, en.schedule, 'en-US')).toBe(text);
  });

  test('every day is left out of the text', () => {
    expect(onDays({ at: '08:00', days: 'weekdays' }, 'every day')).toEqual({ at: '08:00' });
    expect(presetOf({ at: '08:00' })).toBe('daily');
  });
});
