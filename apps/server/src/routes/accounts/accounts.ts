import type { accountEndpoints } from '@belvedere/api';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { ownAccountRoutes } from './own-account.ts';
import type { SignInServices } from './sign-in.ts';
import { userAdministrationRoutes, type PromiseGrant } from './user-administration.ts';

/** Endpoints for signing in, one's own account, users, groups and the audit log. Only team mode has them. */
export function accountRoutes(
  accounts: Accounts | undefined,
  title: () => string,
  signIn?: SignInServices,
  promise?: PromiseGrant,
): Pick<Handlers, keyof typeof accountEndpoints> {
  return {
    ...ownAccountRoutes(accounts, title, signIn),
    ...userAdministrationRoutes(accounts, signIn, promise),
  };
}
