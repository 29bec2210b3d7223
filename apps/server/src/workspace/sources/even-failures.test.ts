import type { ServerSource } from '@belvedere/document';
import { CertificateError, EngineError } from '@belvedere/engine';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { evenFailures } from './even-failures.ts';

const source: ServerSource = {
  version: 1,
  kind: 'postgres',
  connection: { host: '127.0.0.1', port: 22, database: 'd', user: 'u' },
};
const failed = async (error: Error, afterMs: number, ms: number) => {
  const began = performance.now();
  const { code, message } = await evenFailures(
    source,
    async () => {
      await delay(afterMs);
      throw error;
    },
    ms,
  ).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown as EngineError,
  );
  return { code, message, took: performance.now() - began };
};

test('failures to reach a database have one message and one time', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const all = await Promise.all([
    failed(new EngineError('source-unreachable', 'nothing listens'), 0, 400),
    failed(new EngineError('source-unreachable', 'does not respond like PostgreSQL'), 100, 400),
    failed(new CertificateError('source-refused', 'The server’s certificate was rejected'), 250, 400),
  ]);
  expect(new Set(all.map(({ code, message }) => `${code} ${message}`))).toEqual(
    new Set([
      'source-unreachable Could not connect: no PostgreSQL responded at 127.0.0.1:22. ' +
        'Check the host, the port, the firewall and the server’s certificate.',
    ]),
  );
  for (const { took } of all) expect(took).toBeGreaterThan(395);
  // A slower one takes several times as much.
  expect((await failed(new EngineError('source-unreachable', 'late'), 60, 50)).took).toBeGreaterThan(98);
});

test('a database that refuses a login says so at once', async () => {
  const { message, took } = await failed(new EngineError('source-refused', 'wrong password'), 0, 5000);
  expect([message, took < 4000]).toEqual(['wrong password', true]);
  expect(await evenFailures(source, async () => 'ready', 5000)).toBe('ready');
});
