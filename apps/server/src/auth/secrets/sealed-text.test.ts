import { expect, test } from 'vitest';
import { TextSealer } from './sealed-text.ts';

const secret = 'x'.repeat(43);
const sealer = new TextSealer([secret], 'totp');
const sealed = sealer.seal('JBSWY3DPEHPK3PXP', 'ana');

test('a sealed text opens with the same secret, for the same purpose and owner', () => {
  expect(new TextSealer([secret], 'totp').open(sealed, 'ana')).toBe('JBSWY3DPEHPK3PXP');
  expect(sealer.open(sealed, 'bob')).toBeUndefined();
  expect(new TextSealer(['y'.repeat(43)], 'totp').open(sealed, 'ana')).toBeUndefined();
  expect(new TextSealer([secret], 'other').open(sealed, 'ana')).toBeUndefined();
});

test('while keys are rotated, earlier secrets open, and the current one seals', () => {
  const rotated = new TextSealer(['y'.repeat(43), secret], 'totp');
  expect(rotated.open(sealed, 'ana')).toBe('JBSWY3DPEHPK3PXP');
  const again = rotated.seal('JBSWY3DPEHPK3PXP', 'ana');
  expect(new TextSealer(['y'.repeat(43)], 'totp').open(again, 'ana')).toBe('JBSWY3DPEHPK3PXP');
  expect(sealer.open(again, 'ana')).toBeUndefined();
});

test('the same text is sealed in another form each time, without its letters', () => {
  expect(sealer.seal('JBSWY3DPEHPK3PXP', 'ana')).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('JBSW');
});

test('a changed text does not open, whichever part was changed', () => {
  for (let i = 0; i < sealed.length; i++) {
    const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'B' : 'A'}${sealed.slice(i + 1)}`;
    expect(sealer.open(changed, 'ana')).toBeUndefined();
  }
  for (const other of ['', '1:', '1:AAAA', sealed.slice(0, -8), `${sealed}A`, `${sealed}=`, `${sealed} `])
    expect(sealer.open(other, 'ana')).toBeUndefined();
});
