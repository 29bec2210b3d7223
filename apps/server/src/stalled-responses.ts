import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { limits } from './limits.ts';

/** How often a response is looked at while its client waits, or keeps it waiting. */
const looks = 4;

/**
 * Ends a response whose client takes none of what waits to be sent for `limits.stalledMs`, as every response must: what it holds, a place among
 * the exports above all, is given back with it. A response that has nothing to send yet may take its time.
 */
export function destroyStalled(response: ServerResponse): void {
  // What the server asks of itself (Fastify's inject) has no client that could stall.
  if (!(response.socket instanceof Socket)) return;
  const lookMs = limits.stalledMs / looks;
  let stalledLooks = 0;
  let lastLook = 0;
  // Node tells of a socket on which nothing has moved since the last look, in the kernel's buffers neither; of one that moved it is silent.
  response.setTimeout(lookMs);
  response.on('timeout', (socket: Socket) => {
    const now = performance.now();
    const hasWaited = socket.writableLength > 0;
    stalledLooks = !hasWaited ? 0 : now - lastLook < 1.5 * lookMs ? stalledLooks + 1 : 1;
    lastLook = now;
    if (stalledLooks >= looks) socket.destroy();
    else socket.setTimeout(lookMs);
  });
}
