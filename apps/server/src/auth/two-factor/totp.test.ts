import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { newTotpKey, stepOfCode, totpAddress } from './totp.ts';

/** The key of RFC 6238, appendix B. */
const key = Secret.fromUTF8('12345678901234567890').base32;

describe('codes of authenticator apps', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238: at %i s', (seconds, code) => {
    expect(stepOfCode(key, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test('are accepted one step early or late, and name their own step', () => {
    const at = 1_234_567_890_000;
    const step = Math.floor(1_234_567_890 / 30);
    expect([-60_000, -30_000, 0, 30_000, 60_000].map(shift => stepOfCode(key, '005924', at + shift))).toEqual(
      [undefined, step, step, step, undefined],
    );
  });

  test.each(['', '5924', '0059240', '00592a', 'ABCD-EFGH-JKLM-NPQR'])('are not %o', code => {
    expect(stepOfCode(key, code, 1_234_567_890_000)).toBeUndefined();
  });

  test('come from a key of 160 bits, which is new each time', () => {
    const keys = [newTotpKey(), newTotpKey()];
    expect(keys[0]).toMatch(/^[A-Z2-7]{32}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('have an address that names the workspace and the account', () => {
    const address = new URL(totpAddress(key, { issuer: 'Shop: north', email: 'ana@example.org' }));
    expect(address.protocol).toBe('otpauth:');
    expect(decodeURIComponent(address.pathname)).toBe('/Shop  north:ana@example.org');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      issuer: 'Shop  north',
      secret: key,
      digits: '6',
      period: '30',
    });
  });
});
