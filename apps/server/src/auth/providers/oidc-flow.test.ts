import { beforeEach, describe, expect, test } from 'vitest';
import { OidcFlows, type Flow } from './oidc-flow.ts';

const flow: Flow = {
  kind: 'sign-in',
  provider: 'test',
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  startedAt: 0,
};

describe('a visit to a provider', () => {
  let elapsed = 0;
  let flows: OidcFlows;
  const open = (publicUrl?: string) => new OidcFlows({ port: () => 4600, publicUrl, elapsed: () => elapsed });
  const sent = (cookie: string) => cookie.split(';')[0]!;
  beforeEach(() => {
    elapsed = 0;
    flows = open();
  });

  test('ends once, with all that it began with', () => {
    const cookie = sent(flows.begin(flow));
    expect(flows.end(`other=1; ${cookie}`)).toEqual(flow);
    expect(flows.end(cookie)).toBeUndefined();
  });

  test('lasts ten minutes', () => {
    const cookie = sent(flows.begin(flow));
    elapsed = 10 * 60_000 + 1;
    expect(flows.end(cookie)).toBeUndefined();
  });

  test('cannot be read or changed in the browser, nor come from another process', () => {
    const [name, value = ''] = sent(flows.begin(flow)).split('=');
    expect(Buffer.from(value, 'base64url').toString()).not.toContain('vvvv');
    for (let i = 0; i < value.length; i += 7) {
      const changed = `${value.slice(0, i)}${value[i] === 'A' ? 'B' : 'A'}${value.slice(i + 1)}`;
      expect(flows.end(`${name}=${changed}`)).toBeUndefined();
    }
    expect(open().end(`${name}=${value}`)).toBeUndefined();
    for (const nonsense of ['', 'AAAA', '%00', 'A'.repeat(5000)])
      expect(flows.end(`${name}=${nonsense}`)).toBeUndefined();
  });

  test('is in a cookie of this host alone, where the address is encrypted', () => {
    expect(open('https://belvedere.example.org').begin(flow)).toMatch(
      /^__Host-belvedere-provider=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(flows.begin(flow)).toMatch(/^belvedere-4600-provider=/);
  });
});
