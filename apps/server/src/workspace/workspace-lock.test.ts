import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorkspaceLockedError, lockWorkspace, type WorkspaceLock } from './workspace-lock.ts';

let state: string;
const held: WorkspaceLock[] = [];
const times = { beatMs: 50, staleMs: 1000 };
const hold = async () => {
  const taken = await lockWorkspace(state, times);
  held.push(taken);
  return taken;
};

beforeEach(async () => {
  state = await mkdtemp(path.join(os.tmpdir(), 'belvedere-hold-'));
});
afterEach(async () => {
  for (const one of held.splice(0)) await one.release();
  await rm(state, { recursive: true });
});

const record = (holder: object) =>
  `${JSON.stringify({ pid: process.pid, machine: 'another', host: 'elsewhere', beat: 7, ...holder }).padEnd(1023)}\n`;
const own = async () =>
  JSON.parse(await readFile(path.join(state, (await readdir(state))[0]!), 'utf8')) as {
    machine: string;
    started?: string;
  };

test('a second server is refused at once, with the process and the address of the first', async () => {
  const first = await hold();
  await first.say('http://127.0.0.1:4600/');
  const refused = lockWorkspace(state, times);
  await expect(refused).rejects.toThrow(WorkspaceLockedError);
  await expect(refused).rejects.toThrow(`process ${process.pid}, at http://127.0.0.1:4600/`);
  first.check();
});

test('a released folder is locked at once', async () => {
  for (let i = 0; i < 5; i++) {
    const taken = await hold();
    await taken.release();
    held.length = 0;
  }
  await (await hold()).say('here');
  expect(await readdir(state)).toEqual(['lock-6']);
});

test('one of many simultaneous servers gets the lock', async () => {
  for (let round = 0; round < 20; round++) {
    await writeFile(path.join(state, `lock-${round * 2 + 1}`), record({ isReleased: true }));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        lockWorkspace(state, times).then(
          taken => taken,
          (error: Error) => error,
        ),
      ),
    );
    const winners = outcomes.filter((outcome): outcome is WorkspaceLock => !(outcome instanceof Error));
    expect(winners, `round ${round}`).toHaveLength(1);
    expect(
      outcomes.filter(outcome => outcome instanceof Error && !(outcome instanceof WorkspaceLockedError)),
    ).toEqual([]);
    winners[0]!.check();
    await winners[0]!.release();
  }
});

test.each([
  ['a process that has ended', { pid: 2 ** 22 - 3 }],
  ['a process whose number was given to another', { started: '1' }],
])('a lock of %s is taken over at once', async (_, holder) => {
  const { machine } = await hold().then(own);
  await held.pop()!.release();
  await writeFile(path.join(state, 'lock-9'), record({ machine, ...holder }));
  const began = performance.now();
  await hold();
  expect(performance.now() - began).toBeLessThan(times.staleMs);
});

test.each([
  ['on another machine, or in another container, whatever its number', {}],
  ['that died before it had written its record', undefined],
])('a lock of a process %s is taken over after the stated time without a heartbeat', async (_, holder) => {
  await writeFile(path.join(state, 'lock-3'), holder ? record(holder) : '');
  const began = performance.now();
  await hold();
  expect(performance.now() - began).toBeGreaterThanOrEqual(times.staleMs);
  expect(await readdir(state)).toEqual(['lock-4']);
});

test('a process with the same number in another container keeps the folder while its heartbeat continues', async () => {
  let beat = 0;
  const beats = setInterval(() => void writeFile(path.join(state, 'lock-3'), record({ beat: beat++ })), 20);
  await new Promise(resolve => setTimeout(resolve, 60));
  await expect(lockWorkspace(state, times)).rejects.toThrow(`process ${process.pid} on elsewhere`);
  clearInterval(beats);
});

test('a holder that has lost the lock may not write, and gets the new holder’s name', async () => {
  const first = await hold();
  await writeFile(path.join(state, 'lock-2'), record({ pid: 77, address: 'http://127.0.0.1:4601/' }));
  expect(() => first.check()).toThrow(
    expect.objectContaining({ type: 'state-unavailable', reason: 'taken-over' }),
  );
  expect(await first.lost).toBe('process 77 on elsewhere, at http://127.0.0.1:4601/');
});

test('a holder whose records were removed may not write', async () => {
  const first = await hold();
  await rm(path.join(state, 'lock-1'));
  expect(() => first.check()).toThrow(expect.objectContaining({ type: 'state-unavailable' }));
  expect(await first.lost).toBeUndefined();
});

test('an unrelated live process does not hold the folder', async () => {
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const { machine } = await hold().then(own);
    await held.pop()!.release();
    // As it is after a restart of the machine's programs: the number is of another now.
    await writeFile(path.join(state, 'lock-9'), record({ machine, pid: other.pid, started: '1' }));
    expect(readFileSync(`/proc/${other.pid}/stat`, 'utf8')).toContain('sleep');
    await hold();
  } finally {
    other.kill();
  }
});
