import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { expect, test } from 'vitest';
import { backupWorkspace } from '../commands/backup-workspace.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { Revisions } from '../state/documents/revisions.ts';
import { openStateDatabase } from '../state/database/state-database.ts';
import { resolveWorkspace } from '../workspace/resolve-workspace.ts';
import { restoreBackup } from './restore-backup.ts';

test('texts are restored with every character, also those that some programs take for line ends', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-backup-'));
  const source = path.join(folder, 'shop');
  await mkdir(source);
  await writeFile(path.join(source, 'belvedere.yaml'), 'version: 1\ntitle: Shop\n');
  const location = await resolveWorkspace(source);
  const text = 'title: a\u2028b\u2029c\u0085d\r\n\ud83d\ude00 \0\n';
  const before = await openStateDatabase({ folder: location.state });
  const id = await new DocumentIds(before).of('dashboard', 'dashboards/a.yaml');
  await new Revisions(before).add(id, text, 'saved');
  await before.close();

  const file = path.join(folder, 'shop.tar.gz');
  await backupWorkspace(location, file, { hasData: true, program: 'test' });
  const restored = path.join(folder, 'restored');
  await restoreBackup(file, restored);
  const after = await openStateDatabase({ folder: (await resolveWorkspace(restored)).state });
  // The state database has no NUL.
  expect((await new Revisions(after).text(id, 1))?.text).toBe(text.replace('\0', '\uFFFD'));
  await after.close();
  await rm(folder, { recursive: true });
});

test('a backup of a few kilobytes with attributes that are slow to search is refused at once', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-backup-'));
  const file = path.join(folder, 'slow.tar.gz');
  const begun = performance.now();
  // A record of two bytes for each two: found by searching for the end of each, they took minutes.
  for (const size of [2 ** 20, 2 ** 23]) {
    const body = '2x'.repeat(size / 2);
    const attributes = { header: { name: 'a', size, type: 'pax-header' as const }, body };
    await writeFile(file, gzipSync(await packTar([attributes])));
    await expect(restoreBackup(file, path.join(folder, 'restored'))).rejects.toThrow(
      'is not a whole backup of Belvedere. Nothing was restored.',
    );
  }
  expect(performance.now() - begun).toBeLessThan(30_000);
  await rm(folder, { recursive: true });
});
