import type { ProviderName, SignInIdentity } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { ProviderButtons } from '../../../accounts/sign-in/ProviderButtons.tsx';
import { agoText, momentText } from '../../../accounts/times.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client } from '../../../data/server.ts';

interface SignInAccountsProps {
  readonly identities: readonly SignInIdentity[];
  /** Those that can be connected. */
  readonly providers: readonly ProviderName[];
  /** Why a provider's account was not connected. */
  readonly problem: string | undefined;
}

/** The accounts of providers with which the user signs in. */
export function SignInAccounts({ identities, providers, problem: failed }: SignInAccountsProps) {
  const { change, isBusy, problem } = useChange();
  return (
    <>
      <FormProblem problem={problem ?? failed} />
      {identities.length > 0 ? (
        <ul className="mb-3 rounded-tile border border-border bg-surface">
          {identities.map(({ id, name, email, usedAt }) => (
            <li key={id} className="flex items-center gap-3 border-b border-border px-3 py-2 last:border-0">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-12 text-text-2" title={momentText(usedAt)}>
                  {[email, words.profile.usedAt(agoText(usedAt))].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Button
                aria-label={words.methods.removeOf(name)}
                isDisabled={isBusy}
                onPress={() => void change(() => client.removeIdentity({ params: { identity: id } }))}
              >
                {words.methods.remove}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="pb-3 text-text-2">{words.methods.empty}</p>
      )}
      <div className="max-w-sm">
        <ProviderButtons
          providers={providers}
          label={words.methods.connect}
          begin={id => client.beginIdentity({ params: { provider: id } })}
          next="/settings/profile"
        />
      </div>
    </>
  );
}
