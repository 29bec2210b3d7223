import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mcpServer, type Assisted } from './mcp-server.ts';

/**
 * Serves a folder to an assistant that has started this process, by standard input and output, until it closes them.
 * @param onFault is told of messages that are none
 */
export async function serveMcp(
  { location, ...rest }: Assisted,
  onFault: (error: Error) => void,
): Promise<void> {
  // A folder that is open elsewhere is read once, not with every call.
  const beside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-mcp-'));
  const ended = new Promise<void>(resolve => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const serving = serveStdio(() => mcpServer({ location: { ...location, beside }, ...rest }), {
    onerror: onFault,
  });
  await ended;
  await serving.close();
  await rm(beside, { recursive: true, force: true });
}
