import type { ChannelSettings } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { useChange } from '../../../accounts/use-change.ts';
import { useChannels } from '../../../channels/channel-data.ts';
import { ChannelDialog } from '../../../channels/ChannelDialog.tsx';
import { ChannelList } from '../../../channels/ChannelList.tsx';
import { DeliveryList } from '../../../channels/DeliveryList.tsx';
import { words } from '../../../channels/messages/words.ts';
import { client, useSession } from '../../../data/server.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

/** Whether webhooks are on, the channels, and what was sent to whom. */
export function ChannelsScreen() {
  const { data, error, isPending, refetch } = useChannels();
  const isOwner = useSession().data?.role === 'owner';
  const { change, isBusy, problem } = useChange();
  const { channel } = useSearch({ from: '/settings/channels' });
  const navigate = useNavigate();
  const [edited, setEdited] = useState<ChannelSettings | 'new'>();
  return (
    <SettingsPage title={words.title} hint={words.settingsHint}>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <>
            <SettingsSection id="webhooks" title={words.webhooks} hint={words.webhooksHint}>
              <FormProblem problem={problem} />
              <p className="flex flex-wrap items-center gap-3">
                <StateChip tone={data.hasWebhooks ? 'accent' : 'warn'}>
                  {data.hasWebhooks ? words.on : words.off}
                </StateChip>
                {isOwner ? (
                  <Button
                    isDisabled={isBusy}
                    onPress={() =>
                      void change(() => client.switchWebhooks({ body: { isOn: !data.hasWebhooks } }))
                    }
                  >
                    {data.hasWebhooks ? words.turnOff : words.turnOn}
                  </Button>
                ) : (
                  <span className="text-text-2">{words.onlyOwners}</span>
                )}
              </p>
            </SettingsSection>
            <SettingsSection id="channels" title={words.title} hint={words.listHint}>
              {data.hasMail ? null : <p className="py-1 text-warn">{words.noMail}</p>}
              <ChannelList channels={data.channels} onEdit={setEdited} />
              <Button onPress={() => setEdited('new')}>{words.add}</Button>
            </SettingsSection>
            <SettingsSection id="deliveries" title={words.deliveries} hint={words.deliveriesHint}>
              <DeliveryList
                channel={channel}
                onShowAll={() => void navigate({ to: '/settings/channels', search: {}, replace: true })}
              />
            </SettingsSection>
            {edited === undefined ? null : (
              <ChannelDialog
                channel={edited === 'new' ? undefined : edited}
                taken={data.channels.map(({ name }) => name)}
                hasWebhooks={data.hasWebhooks}
                onClose={() => setEdited(undefined)}
              />
            )}
          </>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}
