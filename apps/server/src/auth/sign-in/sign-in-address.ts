import { request } from 'node:https';
import { Readable } from 'node:stream';
import { ProblemError } from '../../http/problems.ts';
import type { LockHolder, WorkspaceLockedError } from '../../workspace/workspace-lock.ts';
import type { ResolvedWorkspace } from '../../workspace/resolve-workspace.ts';
import { keyedHash, knownLocalSecret } from '../secrets/local-secret.ts';
import { openingProof } from './opening-proof.ts';
import { storedSecret, readSecret } from '../secrets/stored-secret.ts';

const secretName = '.open-token';
const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const longestAnswerMs = 5000;

type Location = Pick<ResolvedWorkspace, 'root' | 'state'>;

/**
 * Returns the secret that authorizes a fresh sign-in address. Only this account can read it in the folder of
 * the instance's own records.
 *
 * @param local in local mode, the secret of this account: one that came with a folder is not enough
 */
export async function openSecret({ state }: Location, local: string | undefined): Promise<string> {
  const { token } = await storedSecret(state, secretName);
  return local === undefined ? token : keyedHash(token, local);
}

/**
 * Returns a fresh sign-in address of the server that has a folder open, valid for one browser and ten
 * minutes.
 * @throws ProblemError if the holder runs on another machine, is no server, or does not respond
 */
export async function signInAddress(location: Location, { holder }: WorkspaceLockedError): Promise<string> {
  const { address, ask } = await reachHolder(location, holder, '`open` works');
  try {
    const response = await ask('open', AbortSignal.timeout(longestAnswerMs));
    if (response.status === 401) throw notOfThisAccount();
    const { path, detail } = (await response.json()) as { readonly path?: string; readonly detail?: string };
    if (path === undefined) throw new Error(detail);
    return new URL(path, address).href;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError(
      'overloaded',
      `The Belvedere that has the folder open, process ${holder.pid}, did not issue a new address. Try again, or restart it.`,
      { cause: error },
    );
  }
}

/**
 * Returns how to send requests to the server that has a folder open, with proofs of the secret that only this
 * account can read. Another program that a forged lock file names can do nothing with them.
 * @param what the beginning of a sentence about what works on the holder's machine only
 * @throws ProblemError if the holder runs on another machine, or is no server
 */
export async function reachHolder(
  location: Location,
  holder: LockHolder,
  what: string,
): Promise<{
  readonly address: string;
  readonly ask: (path: string, signal: AbortSignal) => Promise<Response>;
}> {
  if (!holder.isHere)
    throw new ProblemError('not-allowed', `Belvedere runs on ${holder.host}. ${what} on that machine only.`);
  const { address } = holder;
  if (address === undefined)
    throw new ProblemError(
      'not-found',
      `Process ${holder.pid} has the folder open, but its server is not ready. Try again later.`,
    );
  const secret = await readSecret(location.state, secretName);
  // Nothing is sent to another machine, whatever the lock file contains.
  if (secret === undefined || !loopback.includes(new URL(address).hostname)) throw notOfThisAccount();
  const local = await knownLocalSecret(location);
  const { origin } = new URL(address);
  const send = (key: string, path: string, signal: AbortSignal) => {
    const url = new URL(path, address);
    const proof = openingProof(key, { origin, path: url.pathname }, Date.now());
    const headers = { authorization: `Bearer ${proof}`, 'x-belvedere': '1' };
    return url.protocol === 'https:'
      ? postEncrypted(url, headers, signal)
      : fetch(url, { method: 'POST', headers, redirect: 'error', signal });
  };
  return {
    address,
    ask: async (path, signal) => {
      // Only the server knows whether it has accounts; then the secret of the folder is enough.
      const response = await send(secret, path, signal);
      return response.status === 401 && local !== undefined
        ? send(keyedHash(secret, local), path, signal)
        : response;
    },
  };
}

/**
 * Like `fetch`, to a server of this machine that has a certificate. That is for its public name, so it says nothing
 * about this address.
 */
function postEncrypted(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, signal, rejectUnauthorized: false }, response => {
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
      resolve(new Response(body, { status: response.statusCode ?? 502 }));
    })
      .on('error', reject)
      .end();
  });
}

function notOfThisAccount(): ProblemError {
  return new ProblemError(
    'not-allowed',
    'The Belvedere that has the folder open does not take requests of this account. Restart it.',
  );
}
