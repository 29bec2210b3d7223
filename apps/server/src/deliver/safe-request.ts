import http from 'node:http';
import https from 'node:https';
import {
  isAllowedHost,
  RequestError,
  requestFailure,
  requirePublic,
  safeAddresses,
  type ResolveHost,
  type TypedHost,
} from './safe-addresses.ts';

const wholeMs = 10_000;
/** Of an answer, after which the connection is cut. */
const answerBytes = 64 * 1024;

export interface SafeRequest {
  readonly url: string;
  readonly method?: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** `host:port` of targets that may be private and may use plain HTTP. */
  readonly allowed: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

export interface SafeOptions {
  readonly resolve?: ResolveHost;
  readonly timeoutMs?: number;
  /** Certificates of authorities beside those of the machine. For tests. */
  readonly ca?: string;
}

export interface Answer {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter?: string;
}

/** Posts JSON as `openSafely` does, and discards the body of the answer. @throws RequestError */
export async function postSafely(
  request: Omit<SafeRequest, 'method'>,
  options: SafeOptions = {},
): Promise<Answer> {
  const { response } = await openSafely(request, options);
  const { statusCode: status = 0, headers } = response;
  const retryAfter = headers['retry-after'];
  let read = 0;
  response.on('data', (part: Buffer) => {
    read += part.byteLength;
    if (read > answerBytes) response.destroy();
  });
  // The status is the answer, however the body ends.
  await new Promise(resolve => response.on('close', resolve));
  return { status, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Sends a request as `openSafely` does, and reads its answer. @throws RequestError also for a longer answer */
export async function readSafely(
  request: SafeRequest,
  maxBytes: number,
  options: SafeOptions = {},
): Promise<Response> {
  const { response, host, ends } = await openSafely(request, options);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.byteLength;
      if (size > maxBytes) throw new RequestError('failed', `The answer of \`${host}\` is too large.`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof RequestError ? error : requestFailure(error as Error, host, ends);
  } finally {
    response.destroy();
  }
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const { statusCode: status = 0 } = response;
  // Some statuses have no body, and those below 200 are no answers.
  if (status < 200) throw new RequestError('failed', `\`${host}\` could not be reached.`);
  return new Response(size > 0 ? Buffer.concat(parts) : null, { status, headers });
}

/**
 * Opens a request to an address that a user has typed, which may only lead to the public internet: its host is
 * resolved once, all of its addresses are checked, and the connection goes to one of those. Redirects are not
 * followed. @throws RequestError without the address's path, which is often a secret
 */
async function openSafely(
  { url, method = 'POST', body, headers, allowed, signal }: SafeRequest,
  { resolve: resolveHost, timeoutMs = wholeMs, ca }: SafeOptions,
) {
  const target = targetOf(url, allowed);
  const ends = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const addresses = await safeAddresses(target, ends, resolveHost);
  const isSecure = target.url.protocol === 'https:';
  const bytes = Buffer.from(body);
  const { promise, resolve: settle, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = (isSecure ? https : http).request(
    target.url,
    {
      method,
      // Its own connection: one of a pool may have been opened to another address.
      agent: false,
      headers: {
        ...headers,
        ...((method !== 'GET' || bytes.byteLength > 0) && { 'content-length': bytes.byteLength }),
        connection: 'close',
      },
      lookup: (_, { all }, done) => {
        if (all) done(null, [...addresses]);
        else done(null, addresses[0].address, addresses[0].family);
      },
      signal: ends,
      maxHeaderSize: 16 * 1024,
      ...(ca !== undefined && { ca }),
    },
    response => {
      response.on('error', () => {});
      settle(response);
    },
  );
  request.on('error', error => reject(requestFailure(error, target.host, ends)));
  request.end(bytes);
  return { response: await promise, host: target.host, ends };
}

/** Returns why an address cannot be a target, before its host is resolved; undefined if it can be one. */
export function refusedTarget(url: string, allowed: ReadonlySet<string>): string | undefined {
  try {
    targetOf(url, allowed);
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
}

function targetOf(text: string, allowed: ReadonlySet<string>): TypedHost & { readonly url: URL } {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RequestError('forbidden', 'The address must begin with `https://`.');
  if (url.username || url.password)
    throw new RequestError('forbidden', 'The address must not contain a user or a password.');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const host = url.hostname.replace(/\.$/, '');
  const target = { url, host, port, allowed };
  if (url.protocol === 'http:' && !isAllowedHost(target))
    throw new RequestError(
      'forbidden',
      `\`${host}\` must be reached with \`https:\`, or be listed in \`webhooks.allow\` of belvedere.yaml.`,
    );
  requirePublic(target);
  return target;
}
