import { createClient, type Client, type Frame } from '@belvedere/api';
import { resolveWorkspace, startServer, type RunningServer } from '@belvedere/server';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface Running {
  readonly server: RunningServer;
  readonly client: Client;
  /** What a browser is let in by. */
  readonly cookie: string;
  /** As the client does it, for requests the client would not make. */
  readonly send: typeof fetch;
  close(): Promise<void>;
}

const project = path.resolve(import.meta.dirname, '..');

/**
 * Belvedere on a folder, signed in, its own records and the user's confirmations in a temporary place.
 * @param isTrusted its sources count as confirmed
 */
export async function runBelvedere(
  folder: string,
  { isTrusted = false }: { readonly isTrusted?: boolean } = {},
): Promise<Running> {
  const cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-test-'));
  process.env['XDG_CACHE_HOME'] = cache;
  process.env['XDG_STATE_HOME'] = path.join(cache, 'state');
  const server = await startServer({
    location: { ...(await resolveWorkspace(folder)), isTrusted },
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder: path.join(project, 'apps', 'web', 'dist'),
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

/** Waits until no table is waiting or being read any more. */
export async function allRead({ server }: Running, timeoutMs = 180_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (
    [...server.store.current.tables.values()].some(
      table => table.state === 'waiting' || table.state === 'reading',
    )
  ) {
    if (Date.now() > end) throw new Error('reading took too long');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

/** Waits until every source beside the files has been reached, or was found not to be. */
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
