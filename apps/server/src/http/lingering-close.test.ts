import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Guard } from '../auth/authenticate.ts';
import { createHttpApp } from './http-app.ts';
import { limits } from '../limits.ts';
import { ProblemError } from './problems.ts';

const app = createHttpApp({} as Guard, {}, undefined);
app.post('/', () => 'taken');
app.post('/refused', () => Promise.reject(new ProblemError('not-signed-in', 'No.')));
app.post(
  '/unsigned',
  { onRequest: async () => Promise.reject(new ProblemError('not-signed-in', 'No.')) },
  () => '',
);
let port: number;
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

interface Sending {
  readonly path?: string;
  readonly type?: string;
  readonly bytes: number;
  readonly headers?: readonly string[];
  readonly isChunked?: boolean;
}

/** The response that a client reads only after all of its body is sent. */
async function sentWhole(request: Sending): Promise<{ readonly text: string; readonly bytesSent: number }> {
  const { path = '/', type, bytes, headers = [], isChunked } = request;
  const socket = net.connect({ host: '127.0.0.1', port });
  const closed = new Promise(resolve => socket.once('close', resolve));
  let failure: Error | undefined;
  socket.on('error', error => (failure = error)).pause();
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: ${type ?? 'application/json'}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const piece = Buffer.alloc(2 ** 20, ' ');
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - sent));
    if (isChunked) socket.write(`${part.length.toString(16)}\r\n`);
    const isFull = !socket.write(part);
    if (isChunked) socket.write('\r\n');
    if (isFull) await Promise.race([once(socket, 'drain'), closed]).catch(() => {});
  }
  if (isChunked) socket.write('0\r\n\r\n');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString())).resume();
  await closed;
  return { text: failure ? `${failure.message} ${text}` : text, bytesSent: socket.bytesWritten };
}

test('`fetch` receives the refusal of a body over its limit', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(40 * 2 ** 20),
  });
  expect([response.status, await response.json()]).toMatchObject([413, { type: 'upload-refused' }]);
});

// A picture for another site is drawn by such requests: each refusal took as long as a client may keep sending.
test('a refused request from within the program is answered at once', async () => {
  const refused = app.inject({ method: 'POST', url: '/refused', payload: { of: 'any size' } });
  const late = new Promise(resolve => setTimeout(resolve, limits.discardingMs / 2, 'late'));
  expect(await Promise.race([refused.then(({ statusCode }) => statusCode), late])).toBe(401);
});

test('a client that never stops sending is disconnected', async () => {
  const bytes = 4 * limits.discardedBytes;
  const { bytesSent } = await sentWhole({ path: '/unsigned', bytes });
  expect(bytesSent).toBeLessThan(bytes);
});

const oneMore = limits.bodyBytes + 1;
const onePieceMore = limits.pieceBytes + 1;
describe.each([
  ['which keeps the connection', []],
  ['which closes the connection', ['Connection: close']],
])('a refusal reaches a client that sends its whole request first and %s', (_, headers) => {
  test.each<[string, number, string, Sending]>([
    ['JSON one byte over its limit', 413, 'request-too-large', { bytes: oneMore }],
    ['JSON far over its limit', 413, 'request-too-large', { bytes: 40 * 2 ** 20 }],
    ['JSON of unknown length', 413, 'request-too-large', { bytes: 40 * 2 ** 20, isChunked: true }],
    ['a JSON Patch', 413, 'request-too-large', { bytes: oneMore, type: 'application/json-patch+json' }],
    ['rows', 413, 'request-too-large', { bytes: 20 * 2 ** 20, type: 'application/x-ndjson' }],
    [
      'a piece of an upload',
      413,
      'upload-refused',
      { bytes: onePieceMore, type: 'application/octet-stream' },
    ],
    [
      'a piece of unknown length',
      413,
      'upload-refused',
      { bytes: 40 * 2 ** 20, type: 'application/octet-stream', isChunked: true },
    ],
    ['a body of another kind', 400, 'request-invalid', { bytes: 20 * 2 ** 20, type: 'image/png' }],
    ['a body without a session', 401, 'not-signed-in', { bytes: 20 * 2 ** 20, path: '/unsigned' }],
  ])('%s', async (_, status, code, sending) => {
    const { text } = await sentWhole({ ...sending, headers });
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*${code}`));
  });
});
