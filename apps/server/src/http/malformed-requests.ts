import type { FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemFrom, ProblemError } from './problems.ts';

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [
    431,
    'This address is too long. Replace its `?` with `#?` to open it in the browser without sending it, or remove everything after the `?`.',
  ],
};

/** These requests never reach the hook that adds the headers of other responses. */
const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Responds to unparsable requests with text that browsers display, then closes the connection. */
export function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, said] = refusals[error.code ?? ''] ?? [400, 'Malformed request.'];
  if (socket.writable) {
    const lines = Object.entries({
      ...headers,
      'content-length': Buffer.byteLength(said),
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${said}`);
  }
  socket.destroy(error);
}

/** Responds to a request whose address cannot be routed: `%E0%A4%A`, for example, is not valid UTF-8. */
export function refuseUnrouted(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemFrom(
    new ProblemError(
      'request-invalid',
      'Invalid address: it has an incomplete `%` escape. Check that it was copied in full.',
      { cause: error },
    ),
    request.id,
  );
  reply.status(problem.status).headers(headers);
  // Browsers display the same text as for `refuseMalformed`.
  if (request.headers.accept?.includes('text/html'))
    reply.type('text/plain; charset=utf-8').send(problem.detail);
  else reply.type('application/problem+json').serializer(JSON.stringify).send(problem);
}
