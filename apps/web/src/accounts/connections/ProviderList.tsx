import type { ProviderSettings } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { client, useSession } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';
import { CheckAnswer, type Checked } from './CheckAnswer.tsx';

interface ProviderListProps {
  readonly providers: readonly ProviderSettings[];
  readonly onEdit: (provider: ProviderSettings) => void;
}

/** The sign-in providers, and for owners the ways to check, change and remove them. */
export function ProviderList({ providers, onEdit }: ProviderListProps) {
  const isOwner = useSession().data?.role === 'owner';
  const [doubted, setDoubted] = useState<string>();
  const [checked, setChecked] = useState<Checked & { readonly id: string }>();
  const { change, isBusy, problem } = useChange();
  const texts = words.providers;
  if (providers.length === 0) return <p className="py-2 text-text-2">{texts.empty}</p>;
  const check = (id: string) => {
    setChecked(undefined);
    void change(async () =>
      setChecked({ id, ...(await client.checkProvider({ params: { provider: id }, body: {} })) }),
    );
  };
  return (
    <>
      <FormProblem problem={problem} />
      <ul className="my-2 rounded-tile border border-border bg-surface">
        {providers.map(provider => (
          <li
            key={provider.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
          >
            <ProviderFacts shown={provider} />
            {!isOwner ? null : doubted === provider.id ? (
              <span className="flex flex-wrap items-center gap-2">
                <span className="text-12 text-text-2">{texts.removeHint}</span>
                <Button onPress={() => setDoubted(undefined)}>{words.cancel}</Button>
                <Button
                  look="primary"
                  isDisabled={isBusy}
                  onPress={() =>
                    void change(() => client.removeProvider({ params: { provider: provider.id } })).then(() =>
                      setDoubted(undefined),
                    )
                  }
                >
                  {texts.remove}
                </Button>
              </span>
            ) : (
              <span className="flex flex-wrap">
                <Button
                  look="quiet"
                  isDisabled={isBusy || provider.state !== 'active'}
                  aria-label={texts.checkOf(nameOf(provider))}
                  onPress={() => check(provider.id)}
                >
                  {texts.check}
                </Button>
                {provider.setBy === 'file' ? null : (
                  <>
                    <Button
                      look="quiet"
                      aria-label={texts.editOf(nameOf(provider))}
                      onPress={() => onEdit(provider)}
                    >
                      {texts.edit}
                    </Button>
                    <Button
                      look="quiet"
                      aria-label={texts.removeOf(nameOf(provider))}
                      onPress={() => setDoubted(provider.id)}
                    >
                      {texts.remove}
                    </Button>
                  </>
                )}
              </span>
            )}
            <span role="status" className="w-full empty:hidden">
              {checked?.id === provider.id ? <CheckAnswer checked={checked} /> : null}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const nameOf = ({ id, provider }: ProviderSettings) => provider?.name ?? id;

function ProviderFacts({ shown }: { readonly shown: ProviderSettings }) {
  const texts = words.providers;
  const { provider, setBy, state } = shown;
  return (
    <span className="min-w-0 flex-1 basis-60 max-sm:basis-full">
      <span className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium wrap-anywhere">{nameOf(shown)}</span>
        {setBy === 'file' ? <StateChip tone="neutral">belvedere.yaml</StateChip> : null}
        {state === 'active' ? null : <StateChip tone="warn">{texts.states[state]}</StateChip>}
      </span>
      <span className="block text-12 wrap-anywhere text-text-2">
        {provider
          ? [
              provider.issuer,
              provider.createAccounts
                ? texts.createsFor(
                    provider.domains?.join(', ') ?? '*',
                    words.roles[provider.defaultRole ?? 'viewer'],
                  )
                : texts.createsNone,
            ].join(' · ')
          : texts.unreadableHint}
      </span>
      {state === 'unconfirmed' ? (
        <span className="block text-12 text-text">{texts.unconfirmedHint}</span>
      ) : null}
    </span>
  );
}
