import { addSample } from '../apps/cli/src/prepare-sample.ts';
import { createClient, type Client, type Frame } from '@belvedere/api';
import { resolveWorkspace, startServer, type RunningServer } from '@belvedere/server';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface Running {
  readonly server: RunningServer;
  readonly client: Client;
  /** The session cookie. */
  readonly cookie: string;
  /** Sends requests like the client does, including those that the client would not send. */
  readonly send: typeof fetch;
  close(): Promise<void>;
}

const project = path.resolve(import.meta.dirname, '..');

/**
 * Starts Belvedere on a folder, signed in, with temporary folders for its own records and the user's
 * confirmations.
 * @param isTrusted treats all sources as confirmed
 * @param stateUrl the address of a PostgreSQL state database
 * @param cache `XDG_CACHE_HOME` of an earlier run, to start again with its records
 */
export async function runBelvedere(
  folder: string,
  {
    isTrusted = false,
    stateUrl,
    cache: earlier,
  }: {
    readonly isTrusted?: boolean;
    readonly stateUrl?: string | undefined;
    readonly cache?: string | undefined;
  } = {},
): Promise<Running> {
  const cache = earlier ?? (await mkdtemp(path.join(os.tmpdir(), 'belvedere-test-')));
  process.env['XDG_CACHE_HOME'] = cache;
  process.env['XDG_STATE_HOME'] = path.join(cache, 'state');
  const server = await startServer({
    location: { ...(await resolveWorkspace(folder)), isTrusted, stateUrl },
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder: path.join(project, 'apps', 'web', 'dist'),
    addSample: location => addSample(project, location),
  });
  const opened = await fetch(server.openAddress, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const send: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
  return {
    server,
    send,
    cookie,
    client: createClient(server.address, send),
    close: async () => {
      await server.close();
      await rm(cache, { recursive: true, force: true });
    },
  };
}

/** Waits until all tables have been imported and their relationships measured. */
export async function allRead({ server }: Pick<Running, 'server'>, timeoutMs = 180_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (
    [...server.store.current.tables.values()].some(
      table => table.state === 'waiting' || table.state === 'importing',
    )
  ) {
    if (Date.now() > end) throw new Error('reading took too long');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await server.store.relationships.settled();
}

export async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

/** Waits until every database source is connected or has failed. */
export async function sourcesReady({ server }: Running, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (
    [...server.store.current.sources.values()].some(
      source => source.state === 'unchecked' || source.state === 'connecting',
    )
  ) {
    if (Date.now() > end) throw new Error('connecting took too long');
    await new Promise(resolve => setTimeout(resolve, 30));
  }
}
