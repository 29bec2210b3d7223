import { Button, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { useEmbedKeys } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { EmbedKeyList } from '../../../accounts/embedding/EmbedKeyList.tsx';
import { CreatedKey, NewEmbedKey, type KeyWithSecret } from '../../../accounts/embedding/NewEmbedKey.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client, useSession } from '../../../data/server.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

/** Whether other sites can show dashboards, and the keys with which they sign. */
export function EmbeddingScreen() {
  const { data, error, isPending, refetch } = useEmbedKeys();
  const isOwner = useSession().data?.role === 'owner';
  const { change, isBusy, problem } = useChange();
  const [isAdding, setIsAdding] = useState(false);
  const [created, setCreated] = useState<KeyWithSecret>();
  const show = (next: KeyWithSecret) => {
    setCreated(next);
    setIsAdding(false);
  };
  return (
    <SettingsPage title={words.embedding.title} hint={words.embedding.settingsHint}>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <>
            <SettingsSection id="embedding" title={words.embedding.title} hint={words.embedding.switchHint}>
              <FormProblem problem={problem} />
              <p className="flex flex-wrap items-center gap-3">
                <StateChip tone={data.isOn ? 'accent' : 'warn'}>
                  {data.isOn ? words.links.on : words.links.off}
                </StateChip>
                {isOwner ? (
                  <Button
                    isDisabled={isBusy}
                    onPress={() => void change(() => client.switchEmbedding({ body: { isOn: !data.isOn } }))}
                  >
                    {data.isOn ? words.links.turnOff : words.links.turnOn}
                  </Button>
                ) : (
                  <span className="text-text-2">{words.links.onlyOwners}</span>
                )}
              </p>
            </SettingsSection>
            <SettingsSection id="embed-keys" title={words.embedding.keys} hint={words.embedding.keysHint}>
              <EmbedKeyList keys={data.keys} onCreated={show} />
              {created ? (
                <CreatedKey created={created} onClose={() => setCreated(undefined)} />
              ) : isAdding ? (
                <NewEmbedKey
                  taken={data.keys.map(({ name }) => name)}
                  onCreated={show}
                  onClose={() => setIsAdding(false)}
                />
              ) : data.isOn ? (
                <Button onPress={() => setIsAdding(true)}>{words.embedding.add}</Button>
              ) : null}
            </SettingsSection>
          </>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}
