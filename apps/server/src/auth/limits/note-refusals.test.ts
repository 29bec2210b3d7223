import type { FastifyRequest } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import type { NewAuditEntry } from '../../state/administration/audit-log.ts';
import { noteRefusals } from './note-refusals.ts';

const ana: Caller = {
  userId: 'u1',
  name: 'Ana',
  email: 'ana@example.org',
  role: 'viewer',
  grants: new Map(),
  rows: 'all',
};

interface Sent {
  readonly endpoint?: string;
  readonly method?: string;
  readonly url?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly ip?: string;
  readonly authorization?: string;
}

function request({ endpoint, method = 'GET', url, params = {}, ip = '10.0.0.7', authorization }: Sent) {
  return {
    method,
    ip,
    params,
    headers: { authorization },
    routeOptions: { url, config: { endpoint } },
  } as unknown as FastifyRequest;
}

const dashboard = {
  endpoint: 'getDashboard',
  url: '/api/v1/dashboards/:id',
  params: { id: 'pay' },
} as const satisfies Sent;

function opened(caller: Caller | undefined) {
  const entries: NewAuditEntry[] = [];
  const clock = { now: 0 };
  const note = noteRefusals({
    audit: { add: async entry => void entries.push(entry) },
    identify: async () => caller,
    elapsed: () => clock.now,
  });
  return { entries, clock, note };
}

describe('refused requests', () => {
  test('for an object are noted with who asked, for what and from where', async () => {
    const { entries, note } = opened(ana);
    note(request(dashboard), 'not-found');
    await vi.waitFor(() =>
      expect(entries).toEqual([
        {
          actor: 'Ana (ana@example.org)',
          actorId: 'u1',
          address: '10.0.0.7',
          action: 'request.refuse',
          object: 'GET /api/v1/dashboards/:id: pay',
          outcome: 'refused',
          detail: 'not-found',
        },
      ]),
    );
  });

  test.each<[who: string, Caller, noted: boolean]>([
    ['someone who needs no grants', { ...ana, role: 'owner', grants: 'all' }, false],
    [
      'a token of theirs, which may be stolen',
      { ...ana, role: 'owner', grants: 'all', token: { name: 'sync', scope: 'read' } },
      true,
    ],
  ])('for an object that does not exist, by %s', async (_, caller, isNoted) => {
    const { entries, note } = opened(caller);
    note(request(dashboard), 'not-found');
    note(request({ endpoint: 'getAlert', url: '/a' }), 'not-found');
    await vi.waitFor(() => expect(entries.length).toBe(isNoted ? 2 : 1));
  });

  test.each([
    ['a token that is not valid', dashboard, 'not-signed-in', true],
    ['no session', dashboard, 'not-signed-in', false],
    ['a function of a higher role', { endpoint: 'listUsers' }, 'not-allowed', true],
    ['a request of another site', { method: 'POST', url: '/open' }, 'not-allowed', true],
    ['a wrong password to confirm', { endpoint: 'confirmPassword' }, 'not-allowed', false],
    ['a wrong passphrase', { endpoint: 'openLink' }, 'passphrase-wrong', true],
    ['too many sign-ins', { endpoint: 'signIn' }, 'rate-limited', true],
    ['a page that does not exist', { url: '/*' }, 'not-found', false],
    ['wrong input', dashboard, 'request-invalid', false],
  ] as const)('%s', async (name, sent: Sent, type, isNoted) => {
    const { entries, note } = opened(undefined);
    note(request({ ...sent, ...(name.includes('token') && { authorization: 'Bearer x' }) }), type);
    await new Promise(resolve => setTimeout(resolve));
    expect(entries.length).toBe(isNoted ? 1 : 0);
  });

  test.each(['not-found', 'not-allowed'] as const)('to share what is another’s are noted: %s', async type => {
    const { entries, note } = opened(ana);
    const url = '/api/v1/sharing/:kind/:object';
    note(
      request({ endpoint: 'putGrant', method: 'PUT', url, params: { kind: 'dashboard', object: 'pay' } }),
      type,
    );
    await vi.waitFor(() => expect(entries[0]?.object).toBe(`PUT ${url}: dashboard pay`));
  });

  test('name no parameter of an endpoint without an object, which may be a token', async () => {
    const { entries, note } = opened(undefined);
    const url = '/api/v1/invitations/:token';
    note(request({ endpoint: 'getInvitation', url, params: { token: 'secret' } }), 'rate-limited');
    await vi.waitFor(() => expect(entries[0]?.object).toBe('GET /api/v1/invitations/:token'));
  });

  test('are ten of one address in 15 minutes, and as many of another', async () => {
    const { entries, clock, note } = opened(undefined);
    const refuse = async (ip: string) => {
      for (let i = 0; i < 15; i++) note(request({ ...dashboard, ip }), 'not-found');
      await new Promise(resolve => setTimeout(resolve));
    };
    await refuse('10.0.0.7');
    expect(entries.length).toBe(10);
    await refuse('10.0.0.8');
    expect(entries.length).toBe(20);
    clock.now = 16 * 60_000;
    await refuse('10.0.0.7');
    expect(entries.length).toBe(30);
  });
});
