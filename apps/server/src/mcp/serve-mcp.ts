import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mcpServer, type Assisted } from './mcp-server.ts';

/**
 * Serves a folder over standard input and output to the assistant that started this process, until the
 * assistant closes them.
 * @param onError receives errors of malformed messages
 */
export async function serveMcp(
  { location, ...rest }: Assisted,
  onError: (error: Error) => void,
): Promise<void> {
  // The state for a folder that is open elsewhere is kept across calls, so that the data is imported only
  // once.
  const beside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-mcp-'));
  const ended = new Promise<void>(resolve => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const serving = serveStdio(() => mcpServer({ location: { ...location, beside }, ...rest }), {
    onerror: onError,
  });
  await ended;
  await serving.close();
  await rm(beside, { recursive: true, force: true });
}
