import type { StartLimits } from '../../limits.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { AccessTokens } from '../tokens/access-tokens.ts';
import { AccountCookies } from '../sessions/account-cookies.ts';
import { Accounts } from './accounts.ts';
import type { BreachedPasswords } from '../passwords/breached-passwords.ts';
import { accountsSecret, storedSecret } from '../secrets/stored-secret.ts';
import { TeamSessions } from '../sessions/team-sessions.ts';

export interface AccountsOptions {
  readonly limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;
  readonly clock: Clock;
  /** The folder of the instance's own records, where the secret is kept. */
  readonly folder: string;
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl?: string | undefined;
  /** The port on which the server listens, once it does. */
  readonly port: () => number;
  /** Whether all users may sign in with passwords, or only owners. */
  readonly hasPasswords?: boolean | undefined;
  /** Passwords that are refused. */
  readonly breached?: Pick<BreachedPasswords, 'has'> | undefined;
}

/** Opens the accounts of team mode. Only then is better-auth loaded, which takes half a second. */
export async function openAccounts(
  state: StateDatabase,
  { limits, clock, folder, publicUrl, port, hasPasswords = true, breached }: AccountsOptions,
): Promise<Accounts> {
  const { openBetterAuth } = await import('./better-auth.ts');
  const { token: secret, all: secrets } = await storedSecret(folder, accountsSecret);
  const sessions = new TeamSessions(state, clock, limits);
  return Accounts.open({
    state,
    auth: await openBetterAuth(state, { secret, lifeMs: limits.sessionLifeMs }),
    sessions,
    tokens: await AccessTokens.open(state, clock),
    cookies: new AccountCookies({ port, publicUrl, secret, lifeSeconds: sessions.lifeSeconds }),
    clock,
    hasPasswords,
    breached,
    secrets,
    address: () => publicUrl ?? `http://localhost:${port()}`,
  });
}
