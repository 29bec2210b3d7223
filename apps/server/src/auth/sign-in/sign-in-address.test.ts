import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkspaceLockedError } from '../../workspace/workspace-lock.ts';
import { localSecret } from '../secrets/local-secret.ts';
import { isOpeningProof } from './opening-proof.ts';
import { openSecret, signInAddress } from './sign-in-address.ts';
import { storedSecret } from '../secrets/stored-secret.ts';

describe('the server that a lock file names', () => {
  let folder: string;
  let location: { root: string; state: string };
  let impostor: Server;
  const received: string[] = [];
  const origin = () => `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
  const holder = (address: string) =>
    new WorkspaceLockedError({ pid: 1, host: os.hostname(), address, isHere: true }, 'locked');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-impostor-'));
    process.env['XDG_STATE_HOME'] = path.join(folder, 'user');
    location = { root: folder, state: path.join(folder, '.belvedere') };
    impostor = createServer((request, response) => {
      received.push(request.headers.authorization ?? '');
      response.writeHead(401).end();
    });
    await new Promise<void>(resolve => impostor.listen(0, '127.0.0.1', resolve));
    await storedSecret(location.state, '.open-token');
    await localSecret(location);
    await expect(signInAddress(location, holder(`${origin()}/`))).rejects.toThrow('requests of this account');
  });
  afterAll(async () => {
    impostor.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('gets no secret, and nothing that another server accepts', async () => {
    const { token } = await storedSecret(location.state, '.open-token');
    const local = await localSecret(location);
    const secrets = [await openSecret(location, undefined), await openSecret(location, local)];
    expect(received).toHaveLength(2);
    expect(received.filter(text => [token, local, ...secrets].some(one => text.includes(one)))).toEqual([]);

    const nowMs = Date.now();
    const times = { startedMs: nowMs - 10_000, nowMs };
    const here = { origin: origin(), path: '/open' };
    const accepted = (request: typeof here, when = times) =>
      received.map(text => secrets.map(secret => isOpeningProof(text, secret, request, when)));
    // The control: a server of this account at this very address.
    expect(accepted(here)).toEqual([
      [true, false],
      [false, true],
    ]);
    const nowhere = [
      [false, false],
      [false, false],
    ];
    expect(accepted({ ...here, origin: 'http://127.0.0.1:4600' })).toEqual(nowhere);
    expect(accepted({ ...here, path: '/backup' })).toEqual(nowhere);
    expect(accepted(here, { startedMs: nowMs + 1, nowMs: nowMs + 10 })).toEqual(nowhere);
    expect(accepted(here, { startedMs: 0, nowMs: nowMs + 61_000 })).toEqual(nowhere);
  });

  test('is asked nothing if it is on another machine', async () => {
    const before = received.length;
    await expect(signInAddress(location, holder('http://192.0.2.1:4600/'))).rejects.toThrow(
      'requests of this account',
    );
    expect(received).toHaveLength(before);
  });
});
