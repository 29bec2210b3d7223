import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { limits } from '../limits.ts';

/**
 * Sends a refusal whole, and reads and discards what its client still sends before the connection ends, up to
 * `limits.discardedBytes` and `limits.discardingMs`. Without this the system resets the connection, and
 * clients that send their whole request first lose the response.
 */
export async function closeLingering(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode < 400 || typeof payload !== 'string' || isRead(request.raw)) return payload;
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
  return Readable.from(
    (async function* () {
      yield payload;
      await restDiscarded(request.raw);
    })(),
    { objectMode: false },
  );
}

/** Requests from within the program (`inject`) have no `complete`, only a body that ends. */
function isRead(body: IncomingMessage): boolean {
  return body.complete || body.readableEnded;
}

/** Resolves once the body has ended, its client has left, or a limit is reached. */
function restDiscarded(body: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (isRead(body) || body.destroyed) return Promise.resolve();
  let bytes = 0;
  const count = (data: Buffer) => {
    bytes += data.length;
    if (bytes > limits.discardedBytes) resolve();
  };
  const timer = setTimeout(resolve, limits.discardingMs);
  body.on('data', count).once('close', resolve).once('end', resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    body.off('data', count).off('close', resolve).off('end', resolve);
  });
}
