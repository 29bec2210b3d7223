import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'This address is too long to be sent. Put a `#` before its `?`, and the page reads it without sending it; or leave out what follows the `?` and choose anew.'],
};

/** Answers what could not even be read as a request, for people: browsers show it as it stands. Then the connection is gone. */
export function refuseUnread(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, said] = refusals[error.code ?? ''] ?? [400, 'This is no request that can be read.'];
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${Buffer.byteLength(said)}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${said}`);
  socket.destroy(error);
}
