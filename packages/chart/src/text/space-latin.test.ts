import { expect, test } from 'vitest';
import { spaceLatin } from './space-latin.ts';

test.each([
  ['按Shipper的Revenue', '按 Shipper 的 Revenue'],
  ['按类别的收入', '按类别的收入'],
  ['Revenue前 10 的产品', 'Revenue 前 10 的产品'],
  ['Freight（按Ship name）', 'Freight（按 Ship name）'],
  ['文件的 SQL', '文件的 SQL'],
])('Chinese text > %s has spaces around Latin names only', (text, spaced) => {
  expect(spaceLatin(text)).toBe(spaced);
});
