import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** How the requests of all viewers went. Times in ms; rounds of a public link's viewer count as one. */
export interface Load {
  readonly wallMs: number;
  readonly queries: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly retryAfters: number;
}

/**
 * Lets viewers send requests at once, from a process of its own.
 * @param signal ends the process, and with it its connections; the promise rejects
 * @param isAside whether it stands for a client of another machine, and so leaves the processors to the server
 */
export function generateLoad(task: object, signal?: AbortSignal, isAside = false): Promise<Load> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'load.mjs'), JSON.stringify(task)],
      { stdio: ['ignore', 'pipe', 'inherit'], signal },
    );
    if (isAside && child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
    child.on('error', reject);
    let said = '';
    child.stdout.on('data', data => (said += String(data)));
    child.on('exit', code =>
      code === 0
        ? resolve(JSON.parse(said) as Load)
        : reject(new Error(`The load generator ended with ${code}.`)),
    );
  });
}

/** Sends as many requests to a server that does nothing but send 20 kB, as a measure of the machine and hour. */
export async function loadOfBareServer(times: number, readers: number): Promise<Load> {
  const server = http.createServer((_, response) => response.end(Buffer.alloc(20_000)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const requests = { of: [{ method: 'GET', path: '/' }], times };
  const load = await generateLoad({ address: `http://127.0.0.1:${port}`, requests, readers });
  server.close();
  return load;
}
