import { createHmac } from 'node:crypto';
import { userStateFolder } from '../../workspace/user-state.ts';
import type { ResolvedWorkspace } from '../../workspace/resolve-workspace.ts';
import { readSecret, storedSecret } from './stored-secret.ts';

const secretName = '.local-secret';

type Location = Pick<ResolvedWorkspace, 'root' | 'state'>;

/**
 * Returns the secret of this account that sessions and sign-in addresses in local mode depend on. It is outside
 * the workspace: a folder from elsewhere could bring records with sessions whose tokens its author knows.
 */
export async function localSecret(location: Location): Promise<string> {
  return (await storedSecret(await folderOf(location), secretName)).token;
}

/** Returns the same; undefined if there is none yet, or if other accounts could read it. */
export async function knownLocalSecret(location: Location): Promise<string | undefined> {
  return readSecret(await folderOf(location), secretName);
}

/** Hashes a token so that no one without the secret can make the hash of a token, or the token of a hash. */
export function keyedHash(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64url');
}

async function folderOf({ root, state }: Location): Promise<string> {
  return (await userStateFolder(root)) ?? state;
}
