import type { ChannelSettings } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { addressesIn, channelOf, draftOf, wrongFields, type ChannelDraft } from './channel-form.ts';

const known: ChannelSettings = {
  name: 'ops',
  kind: 'webhook',
  template: 'pagerduty',
  host: 'events.pagerduty.com',
  limits: {
    perHour: 30,
    groupSeconds: 0,
    quiet: { from: '20:00', to: '06:00', zone: 'UTC', days: [6, 7], passesCritical: false },
  },
  createdAt: '2026-11-29T12:00:00.000Z',
  state: 'active',
  version: '1',
};
const fresh = draftOf(undefined, 'Europe/Berlin');
const wrong = (changes: Partial<ChannelDraft>, of?: ChannelSettings) =>
  [...wrongFields({ ...draftOf(of, 'UTC'), ...changes }, of, ['taken'])].toSorted();

describe('a channel’s form', () => {
  test('keeps everything that is not changed', () => {
    expect(wrong({}, known)).toEqual([]);
    expect(channelOf(draftOf(known, 'Europe/Berlin'))).toEqual({
      name: 'ops',
      target: { kind: 'webhook', template: 'pagerduty' },
      limits: known.limits,
    });
  });

  test('of a new channel needs a name and a target', () => {
    expect(wrong({})).toEqual(['addresses', 'name']);
    expect(wrong({ name: 'ops', type: 'slack' })).toEqual(['url']);
    expect(wrong({ name: 'ops', type: 'pagerduty' })).toEqual(['routingKey']);
    expect(wrong({ name: 'taken', addresses: 'a@b.example' })).toEqual(['name']);
    expect(wrong({ name: 'Ops Team', addresses: 'a@b.example' })).toEqual(['name']);
    expect(wrong({ name: 'ops', addresses: 'a@b.example' })).toEqual([]);
  });

  test('checks times, days, zones and numbers', () => {
    const base = { name: 'ops', addresses: 'a@b.example', hasQuiet: true };
    expect(wrong({ ...base, from: '25:00', to: '7:00', zone: 'Mars', days: [] })).toEqual([
      'days',
      'from',
      'to',
      'zone',
    ]);
    expect(wrong({ ...base, perHour: '0', groupSeconds: '3601' })).toEqual(['groupSeconds', 'perHour']);
    expect(wrong({ ...base, hasQuiet: false, from: 'x' })).toEqual([]);
    expect(fresh.zone).toBe('Europe/Berlin');
  });

  test('reads lists of addresses', () => {
    expect(addressesIn(' A@b.example, c@d.example;\na@b.example ')).toEqual(['a@b.example', 'c@d.example']);
    expect(addressesIn('a@b.example, Ana <c@d.example>')).toBeUndefined();
    expect(addressesIn('')).toBeUndefined();
  });
});
