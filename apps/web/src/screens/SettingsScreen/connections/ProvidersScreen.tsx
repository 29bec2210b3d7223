import type { ProviderSettings } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useState } from 'react';
import { useProviders } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { ProviderDialog } from '../../../accounts/connections/ProviderDialog.tsx';
import { ProviderList } from '../../../accounts/connections/ProviderList.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useSession } from '../../../data/server.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

/** The providers with which users sign in. */
export function ProvidersScreen() {
  const { data, error, isPending, refetch } = useProviders();
  const isOwner = useSession().data?.role === 'owner';
  const [edited, setEdited] = useState<ProviderSettings | 'new'>();
  const texts = words.providers;
  return (
    <SettingsPage title={words.settings.signIn} hint={texts.pageHint}>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <SettingsSection id="providers" title={texts.title} hint={texts.listHint}>
            <ProviderList providers={data.providers} onEdit={setEdited} />
            {isOwner ? (
              <Button onPress={() => setEdited('new')}>{texts.add}</Button>
            ) : (
              <p className="text-text-2">{texts.onlyOwners}</p>
            )}
            {edited === undefined ? null : (
              <ProviderDialog
                known={edited === 'new' ? undefined : edited}
                taken={data.providers.map(({ id }) => id)}
                onClose={() => setEdited(undefined)}
              />
            )}
          </SettingsSection>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}
