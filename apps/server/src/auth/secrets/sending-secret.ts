import { userStateFolder } from '../../workspace/user-state.ts';
import type { ResolvedWorkspace } from '../../workspace/resolve-workspace.ts';
import { storedSecret, type SealingSecrets } from './stored-secret.ts';

/** Returns the secret that seals where this server sends to: channels, the mail server, sign-in providers. */
export async function sendingSecret(
  { root, state }: Pick<ResolvedWorkspace, 'root' | 'state'>,
  isTeam: boolean,
): Promise<SealingSecrets> {
  // In local mode, a folder from elsewhere could bring its own records, and a secret beside them.
  const folder = (isTeam ? undefined : await userStateFolder(root)) ?? state;
  return (await storedSecret(folder, '.channels-secret')).all;
}
