import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Returns all addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Why nothing was sent, or no answer came. `forbidden` never changes by trying again. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly reason: 'forbidden' | 'failed';

  constructor(reason: RequestError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A host that a user has typed. */
export interface TypedHost {
  /** As messages name it. */
  readonly host: string;
  readonly port: string | number;
  /** `host:port` of targets that may be private. */
  readonly allowed: ReadonlySet<string>;
}

export function isAllowedHost({ host, port, allowed }: TypedHost): boolean {
  return allowed.has(`${host}:${port}`);
}

/** @throws RequestError if a host is an address that is not one of the public internet */
export function requirePublic(target: TypedHost): void {
  const literal = withoutBrackets(target.host);
  if (!isAllowedHost(target) && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw notPublic(target.host);
}

/**
 * Resolves a host once and checks all of its addresses; connections must go to one of those, since its name may
 * lead elsewhere the next time. @throws RequestError
 */
export async function safeAddresses(
  target: TypedHost,
  ends: AbortSignal,
  resolve: ResolveHost = everyAddress,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const { host } = target;
  const literal = withoutBrackets(host);
  const family = isIP(literal);
  requirePublic(target);
  if (family !== 0) return [{ address: literal, family }];
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(requestFailure(ends.reason as Error, host, ends));
  ends.addEventListener('abort', abort, { once: true });
  try {
    const [first, ...others] = await Promise.race([
      resolve(host).catch((error: Error) => {
        throw requestFailure(error, host, ends);
      }),
      aborted.promise,
    ]);
    if (first === undefined) throw new RequestError('failed', `\`${host}\` was not found.`);
    if (!isAllowedHost(target) && ![first, ...others].every(({ address }) => isPublicAddress(address)))
      throw notPublic(host);
    return [first, ...others];
  } finally {
    ends.removeEventListener('abort', abort);
  }
}

function everyAddress(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}

const withoutBrackets = (host: string) => host.replaceAll(/[[\]]/g, '');

function notPublic(host: string): RequestError {
  return new RequestError(
    'forbidden',
    `\`${host}\` is not on the public internet. List it in \`webhooks.allow\` of belvedere.yaml if it may be reached.`,
  );
}

export function requestFailure(error: Error, host: string, ends: AbortSignal): RequestError {
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
