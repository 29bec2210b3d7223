import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { limits } from '../limits.ts';

/** Number of checks within `limits.stalledMs`. */
const looks = 4;

/**
 * Ends a response whose client reads no waiting data for `limits.stalledMs`. This frees its resources, above
 * all its slot among the exports.
 * A response without data to send yet may take any time.
 */
export function destroyStalled(response: ServerResponse): void {
  // Fastify's `inject` has no client that could stall.
  if (!(response.socket instanceof Socket)) return;
  const lookMs = limits.stalledMs / looks;
  let stalledLooks = 0;
  let lastLook = 0;
  // Node emits `timeout` only for sockets without activity since the last check, including the kernel's
  // buffers.
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
