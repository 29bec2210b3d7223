import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { discover } from './discovery/discover.ts';
import { Importer } from './importer.ts';

const columns = 300;

test('files of hundreds of columns become one table within 1 GiB of memory', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-wide-'));
  const cell = (i: number, row: number) =>
    i === 8 ? `${1 + row}.12.2024` : [row * i, row * i + 0.5, `word ${i % 7}`, row % 2 ? 'NA' : i][i % 4];
  for (const year of [2022, 2023, 2024]) {
    const line = (cellOf: (i: number) => unknown) =>
      Array.from({ length: columns }, (_, i) => cellOf(i)).join();
    const rows = Array.from({ length: 30 }, (_, row) => line(i => cell(i, row)));
    await writeFile(
      path.join(folder, `answers_${year}.csv`),
      [line(i => (i === 3 && year === 2024 ? 'extra' : `q${i}`)), ...rows].join('\n'),
    );
  }
  const tablesFolder = path.join(folder, 'tables');
  const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 2 });
  const [found, ...others] = (await discover(folder)).tables;
  expect(others).toEqual([]);
  const [imported] = await importer.import(found!, () => {});
  const { columns: typed, profile, report } = imported!;
  expect([typed.length, profile.rows, report.rowsRejected]).toEqual([columns + 2, 90, 0]);
  expect(typed.slice(4, 9).map(({ type }) => type)).toEqual(['integer', 'number', 'text', 'integer', 'date']);
  expect(report.notes).toContain(
    '“extra” is missing in 2 of 3 files (answers_2022.csv, answers_2023.csv), so it is null there.',
  );
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});
