import { describe, expect, test } from 'vitest';
import { attributesOf, rowsOf } from './attribute-rows.ts';

const row = (name: string, value: string) => ({ key: 0, name, value });

describe('attributes', () => {
  test.each([
    ['EU', 'EU'],
    ['EU, US', ['EU', 'US']],
    ['EU,', ['EU']],
    ['12', 12],
    ['-1.5', -1.5],
    ['007', '007'],
    ['true', true],
    ['', ''],
  ])('the text %j is read as %j', (text, value) => {
    expect(attributesOf([row('region', text)], {})).toEqual({ attributes: { region: value } });
  });

  test('that were not changed keep their types', () => {
    const before = { code: '12', tags: ['a, b'], on: true, list: ['only'] };
    expect(attributesOf(rowsOf(before), before)).toEqual({ attributes: before });
  });

  test('without a name are left out', () => {
    expect(attributesOf([row(' ', 'EU'), row('x', '1')], {})).toEqual({ attributes: { x: 1 } });
  });

  test('with a wrong or repeated name are refused', () => {
    expect(attributesOf([row('Region', 'EU')], {})).toEqual({ badName: 'Region' });
    expect(attributesOf([row('a', '1'), row('a', '2')], {})).toEqual({ twice: 'a' });
  });
});
