import type { Dashboard } from '@belvedere/document';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { titleOf } from '../../apps/server/src/presenters/tile-title.ts';
import { forbiddenSights } from './forbidden-sights.ts';
import { allRead, collect, runBelvedere } from '../running-belvedere.ts';

const data = path.resolve(import.meta.dirname, '..', '..', '..', 'shared', 'data');
const isHere = existsSync(data);
const folders = isHere
  ? readdirSync(data, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
  : [];

test('the collection of real data sets exists beside the project, or this test reports that it is missing', () => {
  if (!isHere)
    console.warn('The real data sets are not beside this project: the tests on them are left out.');
  expect(isHere).toBe(folders.length > 0);
});

/** Files that are no tables, and must say so. */
const skippedFiles: Record<string, readonly string[]> = { 'web-logs': ['access.log'] };

describe.each(folders)('%s', folder => {
  test('the collection opens: every table exists, every row is accounted for, no overview has a failed tile', async () => {
    const running = await runBelvedere(path.join(data, folder));
    try {
      await allRead(running);
      const { tables, skippedFiles: out } = await running.client.listTables({});
      expect(tables.length).toBeGreaterThan(0);
      expect(
        tables.filter(table => table.state !== 'ready').map(table => [table.name, table.problem]),
      ).toEqual([]);
      expect(out.map(({ file }) => path.basename(file))).toEqual(skippedFiles[folder] ?? []);
      for (const { file, reason } of out) expect(`${file}: ${reason}`).toMatch(/not a supported file type/);
      for (const { name, rows } of tables) {
        const { report } = await running.client.getTable({ params: { table: name } });
        expect([name, report!.rowsKept + report!.rowsRejected]).toEqual([name, report!.rowsRead]);
        expect([name, report!.rowsKept]).toEqual([name, rows]);
      }
      const { dashboards } = await running.client.listDashboards({});
      expect(dashboards.map(dashboard => dashboard.id).toSorted()).toEqual(
        tables.map(table => `overview/${table.name}`).toSorted(),
      );
      for (const { id } of dashboards) {
        const frames = await collect(
          await running.client.queryTiles({
            params: { id },
            body: { state: { page: 0, filters: {}, selections: {} } },
          }),
        );
        expect(
          frames.filter(frame => frame.header.kind === 'problem').map(frame => [id, frame.header]),
        ).toEqual([]);
        const { document, brokenTiles } = await running.client.getDashboard({ params: { id } });
        expect(brokenTiles).toEqual({});
        const answered = new Set(
          frames.flatMap(frame => ('tile' in frame.header ? [frame.header.tile] : [])),
        );
        expect([...answered].toSorted()).toEqual(Object.keys(document!.pages[0]!.tiles).toSorted());
        // An overview has no parameters.
        const overview = document as Dashboard;
        const { models, tables: imported } = running.server.store.current;
        const { model } = models.get(overview.model!)!;
        const profileOf = (table: string) => imported.get(table)?.imported?.profile;
        const related = Object.entries(model.joins).flatMap(([join, { table }]) => {
          const joined = profileOf(table);
          return joined ? [[join, joined] as const] : [];
        });
        const titles = Object.values(overview.pages[0]!.tiles).map(tile => titleOf(tile, model, 'en'));
        expect([
          id,
          forbiddenSights(overview, titles, {
            model,
            profile: profileOf(model.table)!,
            related: Object.fromEntries(related),
          }),
        ]).toEqual([id, []]);
      }
    } finally {
      await running.close();
    }
  });
});
