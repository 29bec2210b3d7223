import { schemaFile, schemaNames } from '@belvedere/document';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardWrites } from './create-file.ts';
import { writeEditorSchemas } from './editor-schemas.ts';
import { ProblemError } from '../../http/problem-error.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-schemas-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('editor schemas', () => {
  test('are one file for each kind of document, excluded from git', async () => {
    await writeEditorSchemas(folder);
    const names = await readdir(path.join(folder, '.belvedere', 'schema'));
    expect(names.toSorted()).toEqual(['.gitignore', ...schemaNames.map(name => `${name}.json`)].toSorted());
    const dashboard = JSON.parse(
      await readFile(path.join(folder, schemaFile('dashboard')), 'utf8'),
    ) as object;
    expect(dashboard).toMatchObject({ type: 'object', properties: { pages: {} } });
  });

  test('are rewritten only if they differ', async () => {
    await writeEditorSchemas(folder);
    const [model, source] = [path.join(folder, schemaFile('model')), path.join(folder, schemaFile('source'))];
    const { ino, mtimeMs } = await stat(model);
    await writeFile(source, 'of an older version');
    await writeEditorSchemas(folder);
    expect(await stat(model)).toMatchObject({ ino, mtimeMs });
    expect(await readFile(source, 'utf8')).toContain('"connection"');
  });

  test('are left out of a read-only workspace', async () => {
    const end = guardWrites(folder, () => {
      throw new ProblemError('state-unavailable', 'Another server has the folder.');
    });
    await writeEditorSchemas(folder);
    end();
    expect(await readdir(folder)).toEqual([]);
  });

  test('are not written through a link out of the workspace', async () => {
    const outside = path.join(folder, 'outside');
    await mkdir(path.join(folder, 'inside'));
    await mkdir(outside);
    await symlink(outside, path.join(folder, 'inside', '.belvedere'));
    await writeEditorSchemas(path.join(folder, 'inside'));
    expect(await readdir(outside)).toEqual([]);
  });
});
