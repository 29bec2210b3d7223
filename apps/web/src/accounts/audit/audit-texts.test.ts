import { expect, test } from 'vitest';
import { auditDetail, auditObject } from './audit-texts.ts';
import { en } from '../messages/en.ts';

test.each([
  ['dashboard Sales/orders', 'Dashboard Sales/orders'],
  ['folder', 'All dashboards'],
  ['folder Sales', 'Folder Sales'],
  ['source files', 'Data source files'],
  ['ana@example.org', 'ana@example.org'],
])('the object %s is read as %s', (object, text) => {
  expect(auditObject(en, object)).toBe(text);
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
