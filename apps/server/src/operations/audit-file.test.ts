import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AuditFile } from './audit-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const line = (action: string) => ({ at: '2026-11-29T00:00:00.000Z', action, outcome: 'done' as const });
const actions = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map(text => (JSON.parse(text) as { action: string }).action);

describe('the file of the audit log', () => {
  test('has a line of JSON for each entry, and only its owner may read it', async () => {
    const file = path.join(folder, 'new.jsonl');
    const audit = await AuditFile.open(file);
    audit.add({ ...line('one'), actor: 'Ana\n{"action":"forged"}' });
    audit.add(line('two'));
    await audit.close();
    expect(await actions(file)).toEqual(['one', 'two']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('is appended to, after the end of a line that was cut off', async () => {
    const file = path.join(folder, 'old.jsonl');
    await writeFile(file, '{"action":"old"}\n{"action":"cut"}');
    const audit = await AuditFile.open(file);
    audit.add(line('new'));
    await audit.close();
    expect(await actions(file)).toEqual(['old', 'cut', 'new']);
  });

  test('is opened again under its name once it was rotated away', async () => {
    const file = path.join(folder, 'rotated.jsonl');
    const audit = await AuditFile.open(file);
    audit.add(line('before'));
    await vi.waitFor(async () => expect(await actions(file)).toEqual(['before']));
    await rename(file, `${file}.1`);
    audit.add(line('after'));
    audit.reopen();
    await audit.close();
    expect(await actions(`${file}.1`)).toEqual(['before']);
    expect(await actions(file)).toEqual(['after']);
  });

  test('that cannot be written keeps its lines until it can be, and says so', async () => {
    const file = path.join(folder, 'gone', 'audit.jsonl');
    await expect(AuditFile.open(file)).rejects.toThrow('ENOENT');
    const moved = path.join(folder, 'moved.jsonl');
    const audit = await AuditFile.open(moved);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await rm(moved);
    const { mkdir } = await import('node:fs/promises');
    await mkdir(moved);
    audit.add(line('one'));
    await vi.waitFor(() => expect(audit.problem).toContain('EISDIR'));
    audit.add(line('two'));
    await rm(moved, { recursive: true });
    audit.add(line('three'));
    await vi.waitFor(() => expect(audit.problem).toBeUndefined());
    await audit.close();
    expect(await actions(moved)).toEqual(['one', 'two', 'three']);
    expect(logged.mock.calls.map(call => String(call[1]).slice(0, 24))).toEqual([
      'Could not write the audi',
      'The audit log can be wri',
    ]);
    logged.mockRestore();
  });

  // Linux has a device that is always full.
  test.skipIf(process.platform !== 'linux')('on a full disk does not fail', async () => {
    const audit = await AuditFile.open('/dev/full');
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    audit.add(line('one'));
    await vi.waitFor(() => expect(audit.problem).toContain('ENOSPC'));
    await audit.close();
    logged.mockRestore();
  });
});
