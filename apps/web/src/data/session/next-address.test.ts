import { describe, expect, test } from 'vitest';
import { isPlainPage, nextAddress, signInAddress } from './next-address.ts';

const origin = 'https://belvedere.example';

describe('the address after signing in', () => {
  test.each([
    ['/'],
    ['/d/sales'],
    ['/d/sales?f.region=["EU"]&page=2'],
    ['/d/sales#?f.origin=["ATL"]'],
    ['/settings/people'],
  ])('%s is kept', text => {
    expect(nextAddress(text, origin)).toBe(text);
  });

  test.each([
    [undefined],
    [''],
    ['d/sales'],
    ['https://evil.example/'],
    ['//evil.example/'],
    ['/\\evil.example/'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    [' //evil.example'],
    ['javascript:alert(1)'],
    ['/sign-in?next=/d/sales'],
    ['/setup'],
    ['/invite/abc'],
  ])('%j leads to Home', text => {
    expect(nextAddress(text, origin)).toBe('/');
  });

  test('survives the way through the sign-in page', () => {
    const here = { pathname: '/d/sales', search: '?f.region=%5B%22EU%22%5D', hash: '#tile' };
    const { search } = new URL(signInAddress(here), origin);
    expect(nextAddress(new URLSearchParams(search).get('next')!, origin)).toBe(
      '/d/sales?f.region=%5B%22EU%22%5D#tile',
    );
  });
});

describe('the address of the sign-in page', () => {
  test('names no address to return to on Home and on the sign-in pages', () => {
    expect(signInAddress({ pathname: '/', search: '', hash: '' })).toBe('/sign-in');
    expect(signInAddress({ pathname: '/sign-in', search: '?next=%2Fd', hash: '' })).toBe('/sign-in');
  });
});

test('pages outside of the shell are recognized by their paths', () => {
  expect(['/sign-in', '/setup', '/invite/x', '/reset/x'].every(isPlainPage)).toBe(true);
  expect(['/', '/settings', '/setups', '/d/sign-in'].some(isPlainPage)).toBe(false);
});
