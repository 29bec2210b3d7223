import type { Passkey } from '@belvedere/api';
import { Button, TextField } from '@belvedere/ui';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { refreshAccounts, useTwoFactor } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { agoText, momentText } from '../times.ts';
import { useChange } from '../use-change.ts';
import { useForm } from '../use-form.ts';
import { createPasskey, hasPasskeys, passkeyProblem } from './passkey-browser.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

/** One's own passkeys. */
export function PasskeySection() {
  const { data, error, isPending, refetch } = useTwoFactor();
  const { change, isBusy, problem } = useChange();
  const [openDialog, setOpenDialog] = useState<'add' | Passkey>();
  const passkeys = data?.passkeys ?? [];
  const close = () => {
    setOpenDialog(undefined);
    void refreshAccounts();
  };
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      <FormProblem problem={problem} />
      {passkeys.length === 0 ? (
        <p className="text-text-2">{words.twoFactor.noPasskeys}</p>
      ) : (
        <ul className="rounded-tile border border-border bg-surface">
          {passkeys.map(passkey => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-2 last:border-0"
            >
              <Fingerprint size={16} aria-hidden className="shrink-0 text-text-3" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{passkey.name}</span>
                <span className="block truncate text-12 text-text-2" title={momentText(passkey.createdAt)}>
                  {[
                    words.twoFactor.addedAt(agoText(passkey.createdAt)),
                    ...(passkey.usedAt === undefined
                      ? []
                      : [words.twoFactor.usedAt(agoText(passkey.usedAt))]),
                  ].join(' · ')}
                </span>
              </span>
              <Button
                look="quiet"
                aria-label={words.twoFactor.renameOf(passkey.name)}
                onPress={() => setOpenDialog(passkey)}
              >
                {words.twoFactor.rename}
              </Button>
              <Button
                aria-label={words.twoFactor.removeOf(passkey.name)}
                isDisabled={isBusy}
                onPress={() => void change(() => client.removePasskey({ params: { passkey: passkey.id } }))}
              >
                {words.twoFactor.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data?.canUsePasskeys && hasPasskeys() ? (
        <div className="pt-3">
          <Button onPress={() => setOpenDialog('add')}>{words.twoFactor.addPasskey}</Button>
        </div>
      ) : (
        <p className="pt-2 text-12 text-text-2">
          {data?.canUsePasskeys ? words.twoFactor.notInBrowser : words.twoFactor.noPasskeysHere}
        </p>
      )}
      {openDialog === undefined ? null : (
        <PasskeyDialog passkey={openDialog === 'add' ? undefined : openDialog} onClose={close} />
      )}
    </QueryState>
  );
}

interface PasskeyDialogProps {
  /** Undefined for a new one. */
  readonly passkey: Passkey | undefined;
  readonly onClose: () => void;
}

/** Names a passkey, and creates it if it is new. */
function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const title = passkey ? words.twoFactor.renameOf(passkey.name) : words.twoFactor.addPasskey;
  const form = useForm({
    fields: ['name'],
    initial: { name: passkey?.name ?? words.twoFactor.defaultName },
    check: (_, { name }) => (name.trim() === '' ? words.nameNeeded : undefined),
    submit: async values => {
      const name = values.name.trim();
      if (passkey) await client.renamePasskey({ params: { passkey: passkey.id }, body: { name } });
      else {
        const { options } = await client.startPasskey({});
        await client.addPasskey({ body: { name, passkey: await createPasskey(options) } });
      }
      onClose();
    },
    explain: passkeyProblem,
  });
  return (
    <FormDialog
      title={title}
      size="small"
      submitLabel={passkey ? words.save : words.add}
      isDisabled={form.isBusy}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <FormProblem problem={form.problem} />
      <TextField
        label={words.twoFactor.passkeyName}
        hint={words.twoFactor.passkeyNameHint}
        maxLength={60}
        autoFocus
        {...form.field('name')}
      />
    </FormDialog>
  );
}
