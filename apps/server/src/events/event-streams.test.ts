import { describe, expect, test } from 'vitest';
import { EventStreams } from './event-streams.ts';
import { limits } from '../limits.ts';

describe('event streams', () => {
  test('are limited for each session, independently of others', () => {
    const streams = new EventStreams();
    const ends = Array.from({ length: limits.eventStreams }, () => streams.begin('one'));
    expect(() => streams.begin('one')).toThrow(/open pages/);
    streams.begin('another');
    ends[0]!();
    streams.begin('one');
    expect(() => streams.begin('one')).toThrow(expect.objectContaining({ type: 'rate-limited' }));
  });

  test('are limited in total', () => {
    const streams = new EventStreams();
    const sessions = Math.ceil(limits.eventStreamsInAll / limits.eventStreams);
    for (let i = 0; i < sessions; i++)
      for (let k = 0; k < limits.eventStreams; k++) streams.begin(`session ${i}`);
    expect(() => streams.begin('one more')).toThrow(expect.objectContaining({ type: 'overloaded' }));
  });
});
