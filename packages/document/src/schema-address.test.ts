import { describe, expect, test } from 'vitest';
import { schemaLine, withSchemaLineFor } from './schema-address.ts';
import { writeDocument } from './write-document.ts';

describe('a schema line', () => {
  test.each([
    ['belvedere.yaml', '.belvedere/schema/dashboard.json'],
    ['dashboards/sales.yaml', '../.belvedere/schema/dashboard.json'],
    ['dashboards/eu/north/sales.yaml', '../../../.belvedere/schema/dashboard.json'],
  ])('of %s refers to the workspace’s schema folder', (file, address) => {
    expect(schemaLine('dashboard', file)).toBe(`# yaml-language-server: $schema=${address}`);
    expect(writeDocument({ version: 1 }, 'dashboard', file)).toBe(
      `# yaml-language-server: $schema=${address}\nversion: 1\n`,
    );
  });

  test.each([
    ['../.belvedere/schema/dashboard.json', '../../.belvedere/schema/dashboard.json'],
    ['../../../.belvedere/schema/translation.json', '../../.belvedere/schema/translation.json'],
    ['https://belvedere.example/schema/model.json', '../../.belvedere/schema/model.json'],
    ['../schema/dashboard.json', '../schema/dashboard.json'],
    ['http://127.0.0.1:4600/api/schema/dashboard.json', 'http://127.0.0.1:4600/api/schema/dashboard.json'],
  ])('%s becomes %s when its file moves into a folder', (before, after) => {
    const text = (address: string) => `# Ours\n# yaml-language-server: $schema=${address}\nversion: 1\n`;
    expect(withSchemaLineFor('dashboards/eu/sales.yaml', text(before))).toBe(text(after));
  });
});
