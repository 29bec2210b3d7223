import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const wholeMs = 10_000;
/** Of an answer, after which the connection is cut. */
const answerBytes = 64 * 1024;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface SafeRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `host:port` of targets that may be private and may use plain HTTP. */
  readonly allowed: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

export interface SafeOptions {
  /** Returns all addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  readonly timeoutMs?: number;
  /** Certificates of authorities beside those of the machine. For tests. */
  readonly ca?: string;
}

/** Why nothing was sent, or no answer came. `forbidden` never changes by trying again. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly reason: 'forbidden' | 'failed';

  constructor(reason: RequestError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface Answer {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter?: string;
}

/**
 * Posts JSON to an address that a user has typed, which may only lead to the public internet: its host is
 * resolved once, all of its addresses are checked, and the connection goes to one of those. Redirects are not
 * followed, and the body of the answer is discarded. @throws RequestError without the address's path, which is
 * often a secret
 */
export async function postSafely(
  { url, body, headers, allowed, signal }: SafeRequest,
  { resolve = everyAddress, timeoutMs = wholeMs, ca }: SafeOptions = {},
): Promise<Answer> {
  const target = targetOf(url, allowed);
  const ends = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const addresses = await checkedAddresses(target, resolve, ends);
  const isSecure = target.url.protocol === 'https:';
  const bytes = Buffer.from(body);
  const { promise, resolve: settle, reject } = Promise.withResolvers<Answer>();
  let answer: Answer | undefined;
  const request = (isSecure ? https : http).request(
    target.url,
    {
      method: 'POST',
      // Its own connection: one of a pool may have been opened to another address.
      agent: false,
      headers: { ...headers, 'content-length': bytes.byteLength, connection: 'close' },
      lookup: (_, { all }, done) => {
        if (all) done(null, [...addresses]);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      },
      signal: ends,
      maxHeaderSize: 16 * 1024,
      ...(ca !== undefined && { ca }),
    },
    response => {
      const { statusCode: status = 0, headers: answered } = response;
      const retryAfter = answered['retry-after'];
      answer = { status, ...(retryAfter !== undefined && { retryAfter }) };
      let read = 0;
      response.on('data', (part: Buffer) => {
        read += part.byteLength;
        if (read > answerBytes) response.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => settle(answer!));
    },
  );
  // The status is the answer, however the body ends.
  request.on('error', error => (answer ? settle(answer) : reject(failure(error, target.host, ends))));
  request.end(bytes);
  return promise;
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

interface TargetHost {
  readonly url: URL;
  /** As messages name it. */
  readonly host: string;
  readonly isAllowed: boolean;
}

function targetOf(text: string, allowed: ReadonlySet<string>): TargetHost {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RequestError('forbidden', 'The address must begin with `https://`.');
  if (url.username || url.password)
    throw new RequestError('forbidden', 'The address must not contain a user or a password.');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const host = url.hostname.replace(/\.$/, '');
  const isAllowed = allowed.has(`${host}:${port}`);
  if (url.protocol === 'http:' && !isAllowed)
    throw new RequestError(
      'forbidden',
      `\`${host}\` must be reached with \`https:\`, or be listed in \`webhooks.allow\` of belvedere.yaml.`,
    );
  const literal = url.hostname.replaceAll(/[[\]]/g, '');
  if (!isAllowed && isIP(literal) !== 0 && !isPublicAddress(literal)) throw notPublic(host);
  return { url, host, isAllowed };
}

async function checkedAddresses(
  { url, host, isAllowed }: TargetHost,
  resolve: NonNullable<SafeOptions['resolve']>,
  ends: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const literal = url.hostname.replaceAll(/[[\]]/g, '');
  const family = isIP(literal);
  if (family !== 0) return [{ address: literal, family }];
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(failure(ends.reason as Error, host, ends));
  ends.addEventListener('abort', abort, { once: true });
  try {
    const addresses = await Promise.race([
      resolve(url.hostname).catch((error: Error) => {
        throw failure(error, host, ends);
      }),
      aborted.promise,
    ]);
    if (addresses.length === 0) throw new RequestError('failed', `\`${host}\` was not found.`);
    if (!isAllowed && !addresses.every(({ address }) => isPublicAddress(address))) throw notPublic(host);
    return addresses;
  } finally {
    ends.removeEventListener('abort', abort);
  }
}

function everyAddress(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}

function notPublic(host: string): RequestError {
  return new RequestError(
    'forbidden',
    `\`${host}\` is not on the public internet. List it in \`webhooks.allow\` of belvedere.yaml if it may be reached.`,
  );
}

function failure(error: Error, host: string, ends: AbortSignal): RequestError {
  const { code = '' } = error as NodeJS.ErrnoException;
  const is = () => {
    if (ends.aborted) return 'did not answer in time';
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'was not found';
    if (code === 'ECONNREFUSED') return 'refused the connection';
    if (code === 'ECONNRESET' || code === 'EPIPE') return 'ended the connection';
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return `has no valid certificate (${code})`;
    return `could not be reached${code === '' ? '' : ` (${code})`}`;
  };
  return new RequestError('failed', `\`${host}\` ${is()}.`, { cause: error });
}
