import type { DashboardRecord } from '@belvedere/api';
import { Button, ComboBox, Modal, Select } from '@belvedere/ui';
import { BadgeCheck, UserRound } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { localTimeFormat } from '../../data/session/own-zone.ts';
import { client, queryClient, useDashboards } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';
import { useSubjects } from '../account-data.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

const choices = [30, 90, 180, 365] as const;

/** Whom to ask about a dashboard, and whether a user has checked it. */
export function RecordDialog({
  dashboard,
  title,
  onClose,
}: {
  readonly dashboard: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const record = useDashboards().data?.dashboards.find(({ id }) => id === dashboard)?.record;
  const { change, isBusy, problem } = useChange();
  const save = (work: () => Promise<unknown>) =>
    void change(async () => {
      await work();
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    });
  const label = words.record.title(title);
  return (
    <Modal label={label} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[80vh] flex-col gap-5 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{label}</h2>
        <Owner
          owner={record?.owner}
          onChoose={user =>
            save(() => client.setDashboardOwner({ params: { id: dashboard }, body: { user } }))
          }
        />
        <Verification
          verified={record?.verified}
          isBusy={isBusy}
          onVerify={days => save(() => client.verifyDashboard({ params: { id: dashboard }, body: { days } }))}
          onRemove={() => save(() => client.unverifyDashboard({ params: { id: dashboard } }))}
        />
        <FormProblem problem={problem} />
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}

function Owner({
  owner,
  onChoose,
}: {
  readonly owner: DashboardRecord['owner'];
  readonly onChoose: (userId: string) => void;
}) {
  const [text, setText] = useState('');
  const { data } = useSubjects(useDeferredValue(text.trim()));
  const people = (data?.subjects ?? []).filter(({ kind }) => kind === 'user');
  return (
    <section aria-label={words.record.owner}>
      <h3 className="text-12 font-medium text-text-2">{words.record.owner}</h3>
      <p className="flex min-h-10 items-center gap-2.5 py-1 font-medium">
        <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">
          <UserRound size={15} aria-hidden />
        </span>
        {owner?.name ?? <span className="font-normal text-text-2">{words.record.noOwner}</span>}
      </p>
      <div className="flex">
        <ComboBox
          label={words.record.changeOwner}
          text={text}
          onText={setText}
          items={people.map(({ id, name, email }) => ({
            id,
            title: name,
            detail: email,
            isDisabled: id === owner?.id,
          }))}
          empty={words.record.noPeople}
          onChoose={id => {
            setText('');
            onChoose(id);
          }}
        />
      </div>
      <p className="pt-1.5 text-12 text-text-2">{words.record.ownerHint}</p>
    </section>
  );
}

function Verification({
  verified,
  isBusy,
  onVerify,
  onRemove,
}: {
  readonly verified: DashboardRecord['verified'];
  readonly isBusy: boolean;
  readonly onVerify: (days: number) => void;
  readonly onRemove: () => void;
}) {
  const [days, setDays] = useState<number>(180);
  const date = (text: string) => localTimeFormat({ dateStyle: 'medium' }).format(new Date(text));
  return (
    <section aria-label={words.record.verification}>
      <h3 className="text-12 font-medium text-text-2">{words.record.verification}</h3>
      <p className="flex min-h-10 items-center gap-2 py-1">
        {verified ? (
          <>
            <BadgeCheck size={16} className="shrink-0 text-accent" aria-hidden />
            {t.home.verifiedBy(
              verified.by?.name ?? t.home.formerUser,
              date(verified.at),
              date(verified.until),
            )}
          </>
        ) : (
          <span className="text-text-2">{words.record.none}</span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-32">
          <Select
            label={words.record.validFor}
            value={String(days)}
            options={choices.map(count => ({ value: String(count), label: words.record.days(count) }))}
            onChange={value => setDays(Number(value))}
          />
        </span>
        <Button isDisabled={isBusy} onPress={() => onVerify(days)}>
          {verified ? words.record.renew : words.record.verify}
        </Button>
        {verified ? (
          <Button look="quiet" isDisabled={isBusy} onPress={onRemove}>
            {words.record.remove}
          </Button>
        ) : null}
      </div>
      <p className="pt-1.5 text-12 text-text-2">{words.record.hint}</p>
    </section>
  );
}
