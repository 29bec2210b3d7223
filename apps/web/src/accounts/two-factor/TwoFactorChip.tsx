import type { UserAccount } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { words } from '../messages/words.ts';

/** The second factors of a user in the list of people. */
export function TwoFactorChip({ user }: { readonly user: UserAccount }) {
  const kinds = [
    ...(user.hasAuthenticator ? [words.twoFactor.app] : []),
    ...(user.passkeys > 0 ? [words.twoFactor.passkey] : []),
  ];
  return kinds.length === 0 ? (
    <span className="text-text-2">{user.isService ? '–' : words.twoFactor.none}</span>
  ) : (
    <StateChip tone="good">{kinds.join(', ')}</StateChip>
  );
}
