import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { AssistedWorkspace } from './assisted-workspace.ts';
import { folderWorkspace } from './folder-workspace.ts';
import { mcpServer } from './mcp-server.ts';

/**
 * Serves a folder over standard input and output to the assistant that started this process, until the
 * assistant closes them.
 *
 * @param pagesFolder the folder of the application's built pages, from which exports are drawn
 * @param onError receives errors of malformed messages
 */
export async function serveFolderToAssistant(
  location: ResolvedWorkspace,
  pagesFolder: string,
  version: string,
  onError: (error: Error) => void,
): Promise<void> {
  // The state for a folder that is open elsewhere is kept across calls, so that the data is imported only
  // once.
  const beside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-mcp-'));
  try {
    await serveToAssistant(folderWorkspace({ ...location, beside }, pagesFolder), version, onError);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** The same for any workspace, such as one of a server. */
export async function serveToAssistant(
  workspace: AssistedWorkspace,
  version: string,
  onError: (error: Error) => void,
): Promise<void> {
  const ended = new Promise<void>(resolve => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const serving = serveStdio(() => mcpServer(workspace, version), { onerror: onError });
  await ended;
  await serving.close();
}
