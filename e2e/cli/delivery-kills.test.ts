import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { startMailServer, type MailServer, type MailStep } from '../team/messages/mail-server.ts';
import { openDelivering } from './delivering.ts';

/**
 * A process is killed at every step of a delivery, and started again (F41). Each webhook gets its message at
 * least once, with one key. No mail is accepted twice, and each is either accepted or marked as uncertain.
 */

type HookStep = 'request' | 'body' | 'answered';
type Step = MailStep | HookStep;

let onStep: (step: Step) => void = () => {};
let mails: MailServer;
let target: http.Server;
let host: string;
const keys: string[] = [];
beforeAll(async () => {
  mails = await startMailServer(step => onStep(step));
  target = http.createServer((request, response) => {
    onStep('request');
    request.resume().on('end', () => {
      onStep('body');
      keys.push(String(request.headers['idempotency-key']));
      response.end('ok', () => onStep('answered'));
    });
  });
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(async () => {
  target.close();
  await mails.close();
});

const start = (folder: string) =>
  spawn(process.execPath, [path.join(import.meta.dirname, 'deliver-all.ts'), folder, mails.url, host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/**
 * Delivers by mail to two addresses and to two webhooks, is killed as planned, and is started again until
 * everything is delivered.
 */
async function killed(kill: (child: ChildProcess, attempt: number) => void, kills: number) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-kills-'));
  (mails.received as unknown[]).length = 0;
  keys.length = 0;
  const open = await openDelivering(folder, mails.url, new Set([host]));
  const limits = { perHour: 1000, groupSeconds: 0 };
  await open.channels.switchWebhooks(true);
  await open.channels.create(
    {
      name: 'mail',
      target: { kind: 'mail', addresses: ['a@example.org', 'b@example.org'] },
      limits,
    },
    undefined,
  );
  for (const name of ['one', 'two'])
    await open.channels.create(
      { name, target: { kind: 'webhook', template: 'slack', url: `http://${host}/${name}` }, limits },
      undefined,
    );
  await open.deliveries.add({
    key: 'firing',
    kind: 'alert',
    about: 'alert:late',
    title: 'Late flights',
    state: 'firing',
    lines: ['x'.repeat(20_000)],
    facts: [],
    links: [],
    images: [{ name: 'a.png', alt: '', png: new Uint8Array(100_000), width: 600 }],
    files: [],
    to: ['mail', 'one', 'two'].map(channel => ({ kind: 'channel', channel })),
    requires: [],
  });
  for (let attempt = 0; attempt < kills; attempt++) {
    const child = start(folder);
    kill(child, attempt);
    await ended(child);
  }
  onStep = () => {};
  const last = start(folder);
  await ended(last);
  expect(last.exitCode).toBe(0);
  const all = await open.deliveries.records.list({ limit: 10 });
  await open.state.close();
  await rm(folder, { recursive: true });
  return all;
}

/** Returns how the mails ended, after checking that no promise was broken. */
function checked(all: Awaited<ReturnType<typeof killed>>): string[] {
  expect(all.length).toBe(4);
  const accepted = (id: string) => mails.received.filter(mail => mail.id.startsWith(`<${id}@`)).length;
  for (const { id, to, state } of all) {
    if (to.kind === 'channel' && to.address !== undefined) {
      expect(['sent', 'uncertain']).toContain(state);
      // Accepted once if sent. If uncertain, at most once.
      expect(accepted(id)).toBeLessThanOrEqual(1);
      if (state === 'sent') expect(accepted(id)).toBe(1);
    } else {
      expect(state).toBe('sent');
      expect(keys.filter(key => key === id).length).toBeGreaterThanOrEqual(1);
    }
  }
  expect(new Set(keys).size).toBe(2);
  expect(mails.received.length).toBeLessThanOrEqual(2);
  return all.flatMap(({ to, state }) => (to.kind === 'channel' && to.address !== undefined ? [state] : []));
}

describe('a process that is killed', () => {
  test.each(['connect', 'mail', 'recipient'] as const)(
    'at the step “%s” sends its mails again, once',
    async step => {
      const all = await killed(child => {
        onStep = now => now === step && child.kill('SIGKILL');
      }, 1);
      expect(checked(all)).toEqual(['sent', 'sent']);
    },
  );

  test.each(['data', 'part', 'end', 'accepted'] as const)(
    'at the step “%s” never has a mail accepted twice',
    async step => {
      const all = await killed(child => {
        onStep = now => now === step && child.kill('SIGKILL');
      }, 1);
      const states = checked(all);
      // Accepted, and not known to be: only a user can tell.
      if (step === 'accepted') expect(states).toContain('uncertain');
    },
  );

  test.each(['request', 'body', 'answered'] as const)(
    'at the step “%s” of a webhook sends it again with the same key',
    async step => {
      const all = await killed(child => {
        onStep = now => now === step && child.kill('SIGKILL');
      }, 1);
      checked(all);
    },
  );

  const seed = process.env['BELVEDERE_SEED'] ?? '42';
  test(`at random, several times, breaks no promise (seed ${seed})`, { timeout: 240_000 }, async () => {
    console.log(`Random kills of deliveries: seed ${seed}`);
    const random = randomFrom(Number(seed));
    const ends: Record<string, number> = {};
    for (let round = 0; round < 5; round++) {
      const kills = 1 + Math.floor(random() * 2);
      const steps = Array.from({ length: kills }, () => ({
        left: Math.floor(random() * 30),
        waitMs: random() * 3,
      }));
      const all = await killed((child, attempt) => {
        const { waitMs } = steps[attempt]!;
        onStep = () => {
          if (steps[attempt]!.left-- === 0) setTimeout(() => child.kill('SIGKILL'), waitMs);
        };
      }, kills);
      for (const state of checked(all)) ends[state] = (ends[state] ?? 0) + 1;
    }
    console.log('Mails ended as', ends);
  });
});
