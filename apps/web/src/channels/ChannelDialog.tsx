import { webhookTemplates, type ChannelSettings } from '@belvedere/api';
import { Button, Checkbox, Modal, Select, TextField } from '@belvedere/ui';
import { useState, type ReactNode } from 'react';
import { LinkField } from '../accounts/CopyLink.tsx';
import { FormProblem } from '../accounts/FormProblem.tsx';
import { momentText } from '../accounts/times.ts';
import { useChange } from '../accounts/use-change.ts';
import { client, useSession } from '../data/server.ts';
import { locale } from '../messages/messages.ts';
import {
  channelOf,
  draftOf,
  wrongFields,
  type ChannelDraft,
  type ChannelType,
  type DraftField,
} from './channel-form.ts';
import { words } from './messages/words.ts';

interface ChannelDialogProps {
  /** Undefined for a new channel. */
  readonly channel: ChannelSettings | undefined;
  /** The names of all channels. */
  readonly taken: readonly string[];
  readonly hasWebhooks: boolean;
  readonly onClose: () => void;
}

/** The fields of a form and its problems. */
interface FormPart {
  readonly draft: ChannelDraft;
  readonly set: (changes: Partial<ChannelDraft>) => void;
  /** The properties of a text field. */
  readonly text: (
    field: Exclude<DraftField, 'type' | 'hasQuiet' | 'days' | 'passesCritical'>,
    error: string,
  ) => { readonly value: string; readonly onChange: (value: string) => void; readonly error?: string };
  readonly isWrong: (field: DraftField) => boolean;
}

/** Creates a channel or changes one, and shows the secret of a new webhook once. */
export function ChannelDialog({ channel, taken, hasWebhooks, onClose }: ChannelDialogProps) {
  const zone = useSession().data?.workspace.timezone ?? 'UTC';
  const [draft, setDraft] = useState(() => draftOf(channel, zone));
  const [wrong, setWrong] = useState<ReadonlySet<DraftField>>(new Set());
  const [secret, setSecret] = useState<string>();
  const { change, isBusy, problem } = useChange();
  const title = channel ? words.dialog.editOf(channel.name) : words.dialog.create;
  const set = (changes: Partial<ChannelDraft>) => {
    setDraft({ ...draft, ...changes });
    setWrong(wrong.difference(new Set(Object.keys(changes) as DraftField[])));
  };
  const form: FormPart = {
    draft,
    set,
    text: (field, error) => ({
      value: draft[field],
      onChange: value => set({ [field]: value }),
      ...(wrong.has(field) && { error }),
    }),
    isWrong: field => wrong.has(field),
  };
  const save = async (work: () => Promise<{ readonly secret?: string | undefined }>) => {
    let created: string | undefined;
    const isSaved = await change(async () => {
      ({ secret: created } = await work());
    });
    if (!isSaved) return;
    if (created === undefined) onClose();
    else setSecret(created);
  };
  const submit = () => {
    const found = wrongFields(draft, channel, taken);
    setWrong(found);
    if (found.size > 0) return;
    const { name, ...body } = channelOf(draft);
    void save(() =>
      channel
        ? client.updateChannel({ params: { channel: channel.name }, body, ifMatch: channel.version })
        : client.createChannel({ body: { name, ...body } }),
    );
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      {secret === undefined ? (
        <form
          noValidate
          className="flex max-h-[85vh] flex-col gap-4 overflow-y-auto p-5"
          onSubmit={event => {
            event.preventDefault();
            if (!isBusy) submit();
          }}
        >
          <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
          <FormProblem problem={problem} />
          {channel ? null : (
            <TextField
              label={words.dialog.name}
              hint={words.dialog.nameHint}
              autoComplete="off"
              maxLength={60}
              autoFocus
              {...form.text(
                'name',
                taken.includes(draft.name) ? words.dialog.nameTaken : words.dialog.nameWrong,
              )}
            />
          )}
          <Target form={form} known={channel} hasWebhooks={hasWebhooks} />
          {channel?.template === 'generic' ? (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Button
                isDisabled={isBusy}
                onPress={() =>
                  void save(() => client.rotateChannelSecret({ params: { channel: channel.name } }))
                }
              >
                {words.dialog.rotate}
              </Button>
              <span className="text-12 text-text-2">
                {channel.earlierSecretUntil === undefined
                  ? words.dialog.rotateHint
                  : words.dialog.earlierUntil(momentText(channel.earlierSecretUntil))}
              </span>
            </p>
          ) : null}
          <Limits form={form} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onPress={onClose}>{words.dialog.cancel}</Button>
            <Button look="primary" type="submit" isDisabled={isBusy}>
              {words.dialog.save}
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-col gap-4 p-5">
          <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
          <p role="status">{words.secretHint}</p>
          <LinkField label={words.secret} address={secret} copy={words.copySecret} />
          <div className="flex justify-end">
            <Button onPress={onClose}>{words.close}</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}

/** Where messages go. A channel keeps its kind, and a webhook can change its template. */
function Target({
  form: { draft, set, text },
  known,
  hasWebhooks,
}: {
  readonly form: FormPart;
  readonly known: ChannelSettings | undefined;
  readonly hasWebhooks: boolean;
}) {
  const isMail = draft.type === 'mail';
  const types: readonly ChannelType[] = [
    ...(known?.kind === 'webhook' ? [] : (['mail'] as const)),
    ...(known?.kind === 'mail' || !(hasWebhooks || known) ? [] : webhookTemplates),
  ];
  const isPagerduty = draft.type === 'pagerduty';
  const isKept = known !== undefined;
  return (
    <>
      {types.length > 1 ? (
        <Field label={words.dialog.kind}>
          <Select
            label={words.dialog.kind}
            value={draft.type}
            options={types.map(type => ({ value: type, label: words.kinds[type] }))}
            onChange={type => set({ type: type as ChannelType })}
          />
        </Field>
      ) : null}
      {isMail ? (
        <TextField
          label={words.dialog.addresses}
          hint={words.dialog.addressesHint}
          autoComplete="off"
          maxLength={5000}
          {...text('addresses', words.dialog.addressesWrong)}
        />
      ) : (
        <>
          {isPagerduty ? (
            <TextField
              label={words.dialog.routingKey}
              autoComplete="off"
              maxLength={200}
              {...(known?.template === 'pagerduty' && { hint: words.dialog.keyKept })}
              {...text('routingKey', words.dialog.keyNeeded)}
            />
          ) : null}
          <TextField
            label={words.dialog.url}
            hint={
              isKept ? words.dialog.urlKept : isPagerduty ? words.dialog.pagerdutyHint : words.dialog.urlHint
            }
            placeholder={known?.host ? `https://${known.host}/…` : 'https://'}
            autoComplete="off"
            maxLength={2000}
            {...text('url', words.dialog.urlWrong)}
          />
        </>
      )}
    </>
  );
}

function Limits({ form: { draft, set, text, isWrong } }: { readonly form: FormPart }) {
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return (
    <fieldset className="flex flex-col gap-4 border-t border-border pt-3">
      <legend className="sr-only">{words.dialog.limits}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.dialog.perHour}
          inputMode="decimal"
          maxLength={6}
          {...text('perHour', words.dialog.perHourWrong)}
        />
        <TextField
          label={words.dialog.group}
          inputMode="decimal"
          maxLength={6}
          {...text('groupSeconds', words.dialog.groupWrong)}
        />
      </div>
      <p className="-mt-3 text-12 text-text-2">{words.dialog.groupHint}</p>
      <div>
        <Checkbox isSelected={draft.hasQuiet} onChange={hasQuiet => set({ hasQuiet })}>
          {words.dialog.quiet}
        </Checkbox>
        <p className="ms-8 text-12 text-text-2">{words.dialog.quietHint}</p>
      </div>
      {draft.hasQuiet ? (
        <div className="flex flex-col gap-3 sm:ms-8">
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-[5rem_5rem_1fr]">
            <TextField
              label={words.dialog.from}
              placeholder="22:00"
              maxLength={5}
              {...text('from', words.dialog.timeWrong)}
            />
            <TextField
              label={words.dialog.to}
              placeholder="07:00"
              maxLength={5}
              {...text('to', words.dialog.timeWrong)}
            />
            <div className="max-sm:col-span-2">
              <TextField label={words.dialog.zone} maxLength={64} {...text('zone', words.dialog.zoneWrong)} />
            </div>
          </div>
          <fieldset>
            <legend className="pb-1 text-12 text-text-2">{words.dialog.days}</legend>
            <div className="flex flex-wrap gap-x-2">
              {[1, 2, 3, 4, 5, 6, 7].map(day => (
                <Checkbox
                  key={day}
                  isSelected={draft.days.includes(day)}
                  onChange={isChosen =>
                    set({ days: isChosen ? [...draft.days, day] : draft.days.filter(one => one !== day) })
                  }
                >
                  {/* 1 January 2024 was a Monday. */}
                  {weekday.format(Date.UTC(2024, 0, day))}
                </Checkbox>
              ))}
            </div>
            {isWrong('days') ? (
              <p role="alert" className="text-12 text-bad">
                {words.dialog.daysNeeded}
              </p>
            ) : null}
          </fieldset>
          <Checkbox isSelected={draft.passesCritical} onChange={passesCritical => set({ passesCritical })}>
            {words.dialog.critical}
          </Checkbox>
        </div>
      ) : null}
    </fieldset>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-12 text-text-2">
        {label}
      </span>
      {children}
    </div>
  );
}
