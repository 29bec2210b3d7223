import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DocumentReader } from '../documents/document-reader.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { saveDecision } from './save-decision.ts';

let root: string;
let store: WorkspaceStore;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-decisions-'));
  await mkdir(path.join(root, 'tables'));
  store = {
    folders: { root },
    documents: { tableFiles: new Map() },
    current: { decisions: [] },
    reader: new DocumentReader(),
    refresh: async () => {},
  } as unknown as WorkspaceStore;
});
afterEach(() => rm(root, { recursive: true }));

const file = () => path.join(root, 'tables', 'orders.yaml');
const ends = (column: string) => ({
  from: { table: 'orders', columns: [column] },
  to: { table: 'shippers', columns: ['shipper_id'] },
});

test('a decision is added to the file as it is on disk, however recent it is', async () => {
  const text =
    'version: 1\ndecimal: "," # from Berlin\nrelationships:\n  - { table: regions, on: { region: id } }\n';
  await writeFile(file(), text);
  await saveDecision(store, 'files', ends('ship_via'), 'always');
  expect(await readFile(file(), 'utf8')).toBe(
    `${text}  - { table: shippers, on: { ship_via: shipper_id } }\n`,
  );
});

test('a file that would have too many decisions stays as it is', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `  - { table: regions, on: { region_${i}: id } }\n`);
  const text = `version: 1\nrelationships:\n${many.join('')}`;
  await writeFile(file(), text);
  await expect(saveDecision(store, 'files', ends('ship_via'), 'never')).rejects.toMatchObject({
    type: 'request-invalid',
  });
  expect(await readFile(file(), 'utf8')).toBe(text);
});
