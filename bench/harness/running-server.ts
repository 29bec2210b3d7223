import { createClient, type Client, type Frame } from '@belvedere/api';
import { resolveWorkspace, startServer, type RunningServer } from '@belvedere/server';
import path from 'node:path';
import { project } from '../../e2e/browser.ts';

/** A server in this process on a workspace, with all its tables imported, and a signed-in client. */
export interface BenchServer {
  readonly server: RunningServer;
  readonly client: Client;
  readonly cookie: string;
}

/** @param options.signIn false leaves the one-time address to a browser */
export async function startOn(
  workspace: string,
  options: { readonly signIn: boolean } = { signIn: true },
): Promise<BenchServer> {
  const server = await startServer({
    location: await resolveWorkspace(workspace),
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'bench',
    pagesFolder: path.join(project, 'apps', 'web', 'dist'),
  });
  for (;;) {
    const states = [...server.store.current.tables.values()].map(table => table.state);
    if (states.length > 0 && states.every(state => state === 'ready')) break;
    if (states.includes('rejected')) throw new Error('A table of the bench could not be read.');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const cookie = options.signIn
    ? (await fetch(server.openAddress, { redirect: 'manual' })).headers.get('set-cookie')!.split(';')[0]!
    : '';
  const client = createClient(server.address, (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
  );
  return { server, client, cookie };
}

export async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN
  );
}

/** Returns the duration of some work in milliseconds, and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}
