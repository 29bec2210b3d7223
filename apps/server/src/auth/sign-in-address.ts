import { ProblemError } from '../problems.ts';
import type { LockHolder, WorkspaceLockedError } from '../workspace/workspace-lock.ts';
import { storedSecret, readSecret } from './stored-secret.ts';

const secretName = '.open-token';
const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const longestAnswerMs = 5000;

/**
 * Returns the secret that authorizes a fresh sign-in address. Only this account can read it in the folder of
 * the instance's own records.
 */
export async function openSecret(state: string): Promise<string> {
  return (await storedSecret(state, secretName)).token;
}

/**
 * Returns a fresh sign-in address of the server that has a folder open, valid for one browser and ten
 * minutes.
 * @param state the folder of the instance's own records
 * @throws ProblemError if the holder runs on another machine, is no server, or does not respond
 */
export async function signInAddress(state: string, { holder }: WorkspaceLockedError): Promise<string> {
  const { address, ask } = await reachHolder(state, holder, '`open` works');
  try {
    const response = await ask('open', AbortSignal.timeout(longestAnswerMs));
    const { path, detail } = (await response.json()) as { readonly path?: string; readonly detail?: string };
    if (path === undefined) throw new Error(detail);
    return new URL(path, address).href;
  } catch (error) {
    throw new ProblemError(
      'overloaded',
      `The Belvedere that has the folder open, process ${holder.pid}, did not issue a new address. Try again, or restart it.`,
      { cause: error },
    );
  }
}

/**
 * Returns how to send requests to the server that has a folder open, with the secret that only this account
 * can read.
 * @param what the beginning of a sentence about what works on the holder's machine only
 * @throws ProblemError if the holder runs on another machine, or is no server
 */
export async function reachHolder(
  state: string,
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
  const secret = await readSecret(state, secretName);
  // The secret is sent to this machine only, whatever the lock file contains.
  if (secret === undefined || !loopback.includes(new URL(address).hostname))
    throw new ProblemError(
      'not-allowed',
      'The Belvedere that has the folder open does not take requests of this account. Restart it.',
    );
  return {
    address,
    ask: (path, signal) =>
      fetch(new URL(path, address), {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'x-belvedere': '1' },
        redirect: 'error',
        signal,
      }),
  };
}
