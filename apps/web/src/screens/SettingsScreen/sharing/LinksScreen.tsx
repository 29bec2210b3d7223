import { Button, StateChip } from '@belvedere/ui';
import { useAllLinks } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { LinkList } from '../../../accounts/links/LinkList.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client, useSession } from '../../../data/server.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

/** Whether there are public links, and all that there are. */
export function LinksScreen() {
  const { data, error, isPending, refetch } = useAllLinks();
  const isOwner = useSession().data?.role === 'owner';
  const { change, isBusy, problem } = useChange();
  return (
    <SettingsPage title={words.settings.links} hint={words.links.settingsHint}>
      <SettingsSection id="public-links" title={words.links.title} hint={words.links.switchHint}>
        <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
          {data ? (
            <div className="flex flex-col gap-2">
              <FormProblem problem={problem} />
              <p className="flex flex-wrap items-center gap-3">
                <StateChip tone={data.isOn ? 'accent' : 'warn'}>
                  {data.isOn ? words.links.on : words.links.off}
                </StateChip>
                {isOwner ? (
                  <Button
                    isDisabled={isBusy}
                    onPress={() => void change(() => client.switchLinks({ body: { isOn: !data.isOn } }))}
                  >
                    {data.isOn ? words.links.turnOff : words.links.turnOn}
                  </Button>
                ) : (
                  <span className="text-text-2">{words.links.onlyOwners}</span>
                )}
              </p>
              <LinkList
                links={data.links}
                revoke={link => client.revokeAnyLink({ params: { link } })}
                setLife={(link, days) => client.setAnyLinkLife({ params: { link }, body: { days } })}
                empty={words.links.emptyAll}
                isOfAll
              />
            </div>
          ) : null}
        </QueryState>
      </SettingsSection>
    </SettingsPage>
  );
}
