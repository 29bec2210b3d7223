import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  statfsSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProblemError } from '../../http/problem-error.ts';
import { Drafts } from '../documents/drafts.ts';
import { Revisions } from '../documents/revisions.ts';
import { DocumentIds } from '../documents/document-ids.ts';
import { openStateDatabase, type StateDatabase } from './state-database.ts';

let folder: string;
const file = () => path.join(folder, 'state.db');
const asides = () => readdirSync(folder).filter(name => name.startsWith('state.db.damaged-'));

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-state-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function document(state: StateDatabase, name: string): Promise<string> {
  return new DocumentIds(state).of('dashboard', `dashboards/${name}.yaml`);
}

async function draftOf(state: StateDatabase, name: string): Promise<string | undefined> {
  return (await new Drafts(state).of(await document(state, name)))?.text;
}

async function countDrafts(state: StateDatabase): Promise<number> {
  return (await state.db.selectFrom('draft').select('document_id').execute()).length;
}

/** A database with a draft and sixty revisions, closed. */
async function fill(): Promise<void> {
  const state = await openStateDatabase({ folder });
  const sales = await document(state, 'sales');
  await new Drafts(state).put(sales, 'a draft', 'base', 0);
  const revisions = new Revisions(state);
  await state.transaction(async () => {
    for (let i = 0; i < 60; i++) await revisions.add(sales, `${i} ${'x'.repeat(3000)}`, 'saved');
  });
  await state.close();
}

async function opened(): Promise<{
  readonly outcome: 'kept' | 'put aside' | 'refused';
  readonly reason?: string | undefined;
}> {
  try {
    const state = await openStateDatabase({ folder });
    const draft = await draftOf(state, 'sales');
    await state.close();
    return { outcome: state.damage === undefined && draft === 'a draft' ? 'kept' : 'put aside' };
  } catch (error) {
    return { outcome: 'refused', reason: (error as ProblemError).reason ?? (error as Error).message };
  }
}

test('a state database that is a link is refused, and its target is left as it is', async () => {
  await fill();
  const target = path.join(folder, 'of-another-program.db');
  renameSync(file(), target);
  symlinkSync(target, file());
  const before = readFileSync(target);
  await expect(openStateDatabase({ folder })).rejects.toThrow('is a link');
  expect(readFileSync(target).equals(before)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['of-another-program.db', 'state.db']);
});

describe('a damaged state database', () => {
  beforeEach(fill);

  test.each([
    ['cut to nothing', () => truncateSync(file(), 0)],
    ['cut to a page', () => truncateSync(file(), 4096)],
    ['cut in a page', () => truncateSync(file(), 50_000)],
    ['another kind of file', () => writeFileSync(file(), 'no database')],
    [
      'another program’s database',
      () => {
        writeFileSync(file(), '');
        const other = new DatabaseSync(file());
        other.exec('create table revision_of_something (a); insert into revision_of_something values (1)');
        other.close();
      },
    ],
  ])('%s is set aside with a message, and kept unchanged', async (_, damage) => {
    damage();
    const was = readFileSync(file());
    const state = await openStateDatabase({ folder });
    await state.close();
    expect(state.damage).toMatch(/state\.db.*It is kept as state\.db\.damaged-/);
    expect(asides()).toHaveLength(1);
    expect(readFileSync(path.join(folder, asides()[0]!)).equals(was)).toBe(true);
    expect(await opened()).toEqual({ outcome: 'put aside' });
    expect(asides()).toHaveLength(1);
  });

  test('that is missing while its log exists is reported, and the log kept', async () => {
    const state = await openStateDatabase({ folder });
    await new Drafts(state).put(await document(state, 'other'), 'text', '', 0);
    copyFileSync(`${file()}-wal`, path.join(folder, 'log'));
    await state.close();
    await rm(file());
    copyFileSync(path.join(folder, 'log'), `${file()}-wal`);
    const anew = await openStateDatabase({ folder });
    await anew.close();
    expect(anew.damage).toContain('its log is there');
    expect(asides().map(name => name.slice(-4))).toEqual(['-wal']);
  });

  test('with any byte changed is kept or set aside: never replaced by an empty one without a message, never an unclear error', async () => {
    const whole = readFileSync(file());
    for (let i = 0; i < 200; i++) {
      // Half of them in the header and the schema, the others anywhere.
      const at = i % 2 === 0 ? (i * 41) % 4096 : Math.floor((i / 200) * whole.length);
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0xff;
      for (const end of ['-wal', '-shm']) await rm(file() + end, { force: true });
      writeFileSync(file(), damaged);
      const before = asides().length;
      const { outcome, reason } = await opened();
      const isNewer = outcome === 'refused' && at >= 60 && at < 64;
      expect(['kept', 'put aside', ...(isNewer ? ['refused'] : [])], `byte ${at}: ${reason}`).toContain(
        outcome,
      );
      expect(asides().length - before, `byte ${at}`).toBe(outcome === 'put aside' ? 1 : 0);
    }
  });
});

describe('an intact state database', () => {
  beforeEach(fill);

  test('that is busy stays unchanged, and the start is refused with the reason', async () => {
    const other = new DatabaseSync(file());
    other.exec('begin exclusive');
    const was = readFileSync(file());
    await expect(openStateDatabase({ folder })).rejects.toMatchObject({
      type: 'state-unavailable',
      reason: 'in-use',
      message: expect.stringContaining(file()) as string,
    });
    expect(readFileSync(file()).equals(was)).toBe(true);
    expect(asides()).toEqual([]);
    other.close();
    expect(await opened()).toEqual({ outcome: 'kept' });
  });

  test('of a newer version stays unchanged', async () => {
    const newer = new DatabaseSync(file());
    newer.exec('pragma user_version = 999');
    newer.close();
    const was = readFileSync(file());
    await expect(openStateDatabase({ folder })).rejects.toMatchObject({
      type: 'state-unavailable',
      message: expect.stringContaining('newer') as string,
    });
    expect(readFileSync(file()).equals(was)).toBe(true);
  });

  test('that is locked during use reports it at once, and is written again afterwards', async () => {
    const state = await openStateDatabase({ folder });
    const drafts = new Drafts(state);
    const sales = await document(state, 'sales');
    const other = new DatabaseSync(file());
    other.exec('begin immediate');
    const began = performance.now();
    await expect(drafts.put(sales, 'more', 'base', 1)).rejects.toMatchObject({
      type: 'state-unavailable',
      reason: 'in-use',
    });
    expect(performance.now() - began).toBeLessThan(3000);
    expect(await draftOf(state, 'sales')).toBe('a draft');
    other.exec('rollback');
    other.close();
    expect(await drafts.put(sales, 'more', 'base', 1)).toMatchObject({ version: 2 });
    await state.close();
  });
});

test('is not written after this process has lost the right to write', async () => {
  let mayWrite = true;
  const state = await openStateDatabase({ folder }, () => {
    if (!mayWrite) throw new Error('taken over');
  });
  const drafts = new Drafts(state);
  const [one, two] = [await document(state, 'one'), await document(state, 'two')];
  await drafts.put(one, 'text', '', 0);
  mayWrite = false;
  await expect(drafts.put(two, 'text', '', 0)).rejects.toThrow('taken over');
  await expect(state.transaction(() => drafts.put(two, 'text', '', 0))).rejects.toThrow('taken over');
  expect([(await drafts.of(one))?.text, await drafts.of(two)]).toEqual(['text', undefined]);
  await state.close();
});

/** A disk of two megabytes, where this account may mount one. */
async function smallDisk(): Promise<string | undefined> {
  const disk = path.join(folder, 'disk');
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' });
    return disk;
  } catch {
    return undefined;
  }
}

describe('a full disk', () => {
  test('refuses changes with a message, keeps acknowledged ones, and accepts changes again once there is room', async context => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip();
    try {
      const state = await openStateDatabase({ folder: disk });
      const drafts = new Drafts(state);
      const revisions = new Revisions(state);
      // Whatever the tables take, there is room for some drafts.
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 400_000));
      let acknowledged = 0;
      let refused = 0;
      for (let i = 0; i < 200 && refused < 20; i++) {
        try {
          await state.transaction(async () => {
            await drafts.put(await document(state, `draft ${i}`), 'y'.repeat(10_000), '', 0);
          });
          acknowledged++;
        } catch (error) {
          refused++;
          expect(error).toMatchObject({ type: 'state-unavailable', reason: 'disk-full' });
          // Several texts in one transaction: nothing of it may stay open.
          const several = state.transaction(async () => {
            for (const name of ['a', 'b'])
              await revisions.add(await document(state, name), 'z'.repeat(20_000), 'disk');
          });
          await expect(several).rejects.toThrow();
        }
      }
      expect([acknowledged > 0, refused]).toEqual([true, 20]);
      expect(await countDrafts(state)).toBe(acknowledged);
      await rm(path.join(disk, 'ballast'));
      expect(await drafts.put(await document(state, 'after'), 'text', '', 0)).toMatchObject({ version: 1 });
      await state.close();
      const anew = await openStateDatabase({ folder: disk });
      expect([anew.damage, await countDrafts(anew)]).toEqual([undefined, acknowledged + 1]);
      await anew.close();
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  });

  test('refuses the start with a message', async context => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip();
    try {
      expect(() => writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(2 ** 22))).toThrow('ENOSPC');
      await expect(openStateDatabase({ folder: disk })).rejects.toMatchObject({
        type: 'state-unavailable',
        reason: 'disk-full',
        message: expect.stringContaining('The disk is full') as string,
      });
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  });
});
