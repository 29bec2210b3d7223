import { describe, expect, test } from 'vitest';
import { frameMessage, hostMessage, sent } from './messages.ts';

describe('messages of a site', () => {
  test.each([
    { kind: 'token', token: 'a.b.c' },
    { kind: 'no-token' },
    { kind: 'filters', filters: { country: { oneOf: ['DE'] }, city: null } },
    { kind: 'appearance', theme: 'dark', background: 'transparent' },
    { kind: 'appearance' },
    { kind: 'turns' },
    { kind: 'turn', turn: 3 },
  ] as const)('%j is one', message => {
    expect(hostMessage(sent(message))).toMatchObject(message);
  });

  test.each([
    undefined,
    null,
    'token',
    7,
    [],
    {},
    { kind: 'token', token: 'a.b.c' },
    { belvedere: 2, kind: 'token', token: 'a.b.c' },
    { belvedere: 1 },
    { belvedere: 1, kind: 'token' },
    { belvedere: 1, kind: 'token', token: 7 },
    { belvedere: 1, kind: 'token', token: 'x'.repeat(100_001) },
    { belvedere: 1, kind: ['token'], token: 'a.b.c' },
    { belvedere: 1, kind: 'constructor' },
    { belvedere: 1, kind: '__proto__' },
    { belvedere: 1, kind: 'filters', filters: [] },
    { belvedere: 1, kind: 'filters', filters: null },
    { belvedere: 1, kind: 'appearance', theme: '<b>' },
    { belvedere: 1, kind: 'appearance', background: 'url(https://evil.example)' },
    { belvedere: 1, kind: 'size', height: 100 },
    { belvedere: 1, kind: 'turn', turn: '3' },
    { belvedere: 1, kind: 'turn-needed', name: 'requests', turn: 3 },
  ])('%j is none', data => {
    expect(hostMessage(data)).toBeUndefined();
  });
});

describe('messages of a frame', () => {
  test.each([
    { kind: 'token-needed' },
    { kind: 'open' },
    { kind: 'size', height: 494 },
    { kind: 'filters', filters: {} },
    { kind: 'selection', selections: { months: [{ day: { from: '2024-01', below: '2024-03' } }] } },
    { kind: 'data-time', dataTime: '2026-11-29' },
    { kind: 'error', type: 'embed-refused', detail: 'The token has expired.' },
    { kind: 'turn-needed', name: 'requests', turn: 3 },
    { kind: 'turn-over', name: 'requests', turn: 3 },
  ] as const)('%j is one', message => {
    expect(frameMessage(sent(message))).toMatchObject(message);
  });

  test.each([
    { belvedere: 1, kind: 'size', height: '494px' },
    { belvedere: 1, kind: 'size', height: Number.NaN },
    { belvedere: 1, kind: 'size', height: -1 },
    { belvedere: 1, kind: 'size', height: 1e9 },
    { belvedere: 1, kind: 'error', type: 'x' },
    { belvedere: 1, kind: 'turn-needed', turn: 3 },
    { belvedere: 1, kind: 'turn-over', name: 'requests', turn: 0.5 },
    { belvedere: 1, kind: 'data-time', dataTime: {} },
    { belvedere: 1, kind: 'token', token: 'a.b.c' },
  ])('%j is none', data => {
    expect(frameMessage(data)).toBeUndefined();
  });
});
