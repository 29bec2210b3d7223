import { describe, expect, test } from 'vitest';
import { auditDetail, auditLabels, auditObject } from './audit-texts.ts';
import { de } from '../messages/de.ts';
import { en } from '../messages/en.ts';
import { zh } from '../messages/zh.ts';

test.each([
  ['dashboard Sales/orders', 'Dashboard Sales/orders'],
  ['folder', 'All dashboards'],
  ['folder Sales', 'Folder Sales'],
  ['source files', 'Data source files'],
  ['ana@example.org', 'ana@example.org'],
])('the object %s is read as %s', (object, text) => {
  expect(auditObject(en, object)).toBe(text);
});

describe('a search of the audit log', () => {
  const codes = (words: typeof en, search: string) =>
    Object.fromEntries(
      (auditLabels(words, search) ?? '')
        .split(';')
        .filter(Boolean)
        .map(part => part.split('=').map(decodeURIComponent))
        .map(([word = '', list = '']) => [word, list.split(',')]),
    );

  test('stands for the terms whose labels have its words, in the language of the page', () => {
    expect(codes(en, 'changed SHARING')['sharing']).toEqual(['grant.change']);
    expect(codes(de, 'Abgelehnt')['abgelehnt']).toContain('refused');
    expect(codes(zh, '登录提供方')['登录提供方']).toContain('provider.create');
    expect(codes(de, 'Bearbeiter')['bearbeiter']).toContain('editor');
  });

  test('stands for itself otherwise', () => {
    expect(auditLabels(en, '')).toBeUndefined();
    expect(auditLabels(en, 'olga@example.org e')).toBeUndefined();
    expect(Object.keys(codes(en, 'olga@example.org = ; invited'))).toEqual(['invited']);
  });
});

test.each([
  ['as viewer', 'as Viewer'],
  ['role: viewer → editor', 'Role: Viewer → Editor'],
  ['everyone: explore', 'Everyone in this workspace: Can explore'],
  ['Sales team: none', 'Sales team: no access'],
  ['renamed from “A”; attributes: region', 'renamed from “A”; Attributes: region'],
  ['scope: write', 'Read, query and save'],
  ['with Google', 'with Google'],
  ['with Google; taken', 'with Google; This Google account belongs to another user.'],
  ['with Google; as viewer', 'with Google; as Viewer'],
  ['csv', 'csv'],
])('the detail %s is read as %s', (detail, text) => {
  expect(auditDetail(en, detail)).toBe(text);
});
