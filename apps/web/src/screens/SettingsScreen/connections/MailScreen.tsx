import type { MailServerStatus } from '@belvedere/api';
import { Button, StateChip, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { useMailServer } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { MailServerDialog } from '../../../accounts/connections/MailServerDialog.tsx';
import { TestAnswer } from '../../../accounts/connections/TestAnswer.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { words as channelWords } from '../../../channels/messages/words.ts';
import { client, useSession } from '../../../data/server.ts';
import { usePermissions } from '../../../data/session/use-permissions.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

/** The mail server, through which invitations, alerts and reports are sent. */
export function MailScreen() {
  const { data, error, isPending, refetch } = useMailServer();
  const texts = words.mailServer;
  return (
    <SettingsPage title={words.settings.mail} hint={texts.pageHint}>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <SettingsSection id="mail-server" title={texts.title} hint={texts.hint}>
            <MailFacts status={data} />
            <MailActions status={data} />
          </SettingsSection>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}

function MailFacts({
  status: { server, setBy, isUnreadable, offReason },
}: {
  readonly status: MailServerStatus;
}) {
  const texts = words.mailServer;
  const isOn = server !== undefined && offReason === undefined;
  return (
    <div className="rounded-tile border border-border bg-surface px-3.5 py-3 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateChip tone={isOn ? 'accent' : 'neutral'}>{isOn ? texts.on : texts.off}</StateChip>
        {server ? (
          <span className="min-w-0 wrap-anywhere">
            {texts.through(`${server.host}:${server.port}`, texts.securities[server.security])}
          </span>
        ) : (
          <span className="text-text-2">{isUnreadable ? texts.unreadable : texts.none}</span>
        )}
      </p>
      {server ? (
        <dl className="grid grid-cols-1 gap-x-6 gap-y-1 pt-2 sm:grid-cols-[auto_1fr]">
          <dt className="text-text-2">{texts.from}</dt>
          <dd className="min-w-0 wrap-anywhere">{server.from}</dd>
          <dt className="text-text-2">{texts.user}</dt>
          <dd className="min-w-0 wrap-anywhere">{server.user ?? texts.noUser}</dd>
        </dl>
      ) : null}
      {offReason === undefined ? null : (
        <p className="pt-2 text-warn wrap-anywhere">{channelWords.reasonText(offReason)}</p>
      )}
      {setBy === 'owner' ? null : <p className="pt-2 text-text-2">{texts.setBy[setBy]}</p>}
    </div>
  );
}

/** What owners do with the mail server. */
function MailActions({ status }: { readonly status: MailServerStatus }) {
  const texts = words.mailServer;
  const isOwner = useSession().data?.role === 'owner';
  const { team } = usePermissions();
  const { change, isBusy, problem } = useChange();
  const [isEdited, setIsEdited] = useState(false);
  const [isDoubted, setIsDoubted] = useState(false);
  const [to, setTo] = useState('');
  const [tested, setTested] = useState<{
    readonly isSent: boolean;
    readonly to: string;
    readonly detail: string;
  }>();
  if (!isOwner) return <p className="pt-3 text-text-2">{texts.onlyOwners}</p>;
  const { server, setBy, isUnreadable, offReason } = status;
  const test = () => {
    setTested(undefined);
    void change(async () => setTested(await client.testMailServer({ body: team ? {} : { to: to.trim() } })));
  };
  const remove = async () => {
    if (await change(() => client.removeMailServer({}))) setIsDoubted(false);
    setTested(undefined);
  };
  return (
    <div className="flex flex-col gap-3 pt-3">
      <FormProblem problem={problem} />
      {server && !team ? (
        <div className="max-w-80">
          <TextField label={texts.testTo} type="email" maxLength={254} value={to} onChange={setTo} />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {setBy === 'owner' ? (
          <Button look={server ? 'plain' : 'primary'} onPress={() => setIsEdited(true)}>
            {server ? texts.edit : texts.setUp}
          </Button>
        ) : null}
        {server ? (
          <Button
            isDisabled={isBusy || offReason !== undefined || (!team && to.trim() === '')}
            onPress={test}
          >
            {texts.test}
          </Button>
        ) : null}
        {setBy !== 'owner' || !(server || isUnreadable) ? null : isDoubted ? (
          <>
            <span className="text-12 text-text-2">{texts.removeHint}</span>
            <Button onPress={() => setIsDoubted(false)}>{words.cancel}</Button>
            <Button look="primary" isDisabled={isBusy} onPress={() => void remove()}>
              {texts.remove}
            </Button>
          </>
        ) : (
          <Button look="quiet" onPress={() => setIsDoubted(true)}>
            {texts.remove}
          </Button>
        )}
      </div>
      <span role="status" className="empty:hidden">
        {tested ? <TestAnswer tested={tested} /> : null}
      </span>
      {isEdited ? <MailServerDialog status={status} onClose={() => setIsEdited(false)} /> : null}
    </div>
  );
}
