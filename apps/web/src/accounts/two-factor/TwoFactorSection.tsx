import { Button, Modal, PasswordField, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { client, useSession } from '../../data/server.ts';
import { refreshAccounts, useTwoFactor } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { isWrongPassword } from '../sign-in/passwords.ts';
import { useForm } from '../use-form.ts';
import { AuthenticatorSetUp } from './AuthenticatorSetUp.tsx';
import { BackupCodes } from './BackupCodes.tsx';
import { CodeField, codeError, refusedCode } from './CodeField.tsx';

type OpenDialog = 'set up' | 'turn off' | 'renew';

/** Whether one's own two-factor sign-in is on, with the ways to change it. */
export function TwoFactorSection() {
  const { data, error, isPending, refetch } = useTwoFactor();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const close = () => {
    setOpenDialog(undefined);
    void refreshAccounts();
  };
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      <div className="flex flex-wrap items-center gap-3">
        <StateChip tone={data?.isOn ? 'good' : 'neutral'}>
          {data?.isOn ? words.twoFactor.on : words.twoFactor.off}
        </StateChip>
        {data?.isOn ? <span className="text-text-2">{words.twoFactor.left(data.backupCodes)}</span> : null}
        {data?.isRequired ? <span className="text-text-2">{words.twoFactor.required}</span> : null}
      </div>
      <span className="flex flex-wrap gap-2 pt-3">
        {data?.isOn ? (
          <>
            <Button onPress={() => setOpenDialog('renew')}>{words.twoFactor.renew}</Button>
            {data.isRequired && data.passkeys.length === 0 ? null : (
              <Button onPress={() => setOpenDialog('turn off')}>{words.twoFactor.turnOff}</Button>
            )}
          </>
        ) : (
          <Button onPress={() => setOpenDialog('set up')}>{words.twoFactor.setUp}</Button>
        )}
      </span>
      {openDialog === 'set up' ? <SetUpDialog onClose={close} /> : null}
      {openDialog === 'turn off' || openDialog === 'renew' ? (
        <ProofDialog purpose={openDialog} onClose={close} />
      ) : null}
    </QueryState>
  );
}

function SetUpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal
      label={words.twoFactor.requiredTitle}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <div className="max-h-[80vh] overflow-y-auto p-5">
        <AuthenticatorSetUp
          title={words.twoFactor.requiredTitle}
          start={() => client.startTwoFactor({})}
          enable={async code => (await client.enableTwoFactor({ body: { code } })).backupCodes}
          onDone={onClose}
        >
          <Button onPress={onClose}>{words.cancel}</Button>
        </AuthenticatorSetUp>
      </div>
    </Modal>
  );
}

interface ProofDialogProps {
  readonly purpose: 'turn off' | 'renew';
  readonly onClose: () => void;
}

/** Asks for the password and a code, then turns the second factor off or shows new backup codes. */
function ProofDialog({ purpose, onClose }: ProofDialogProps) {
  const email = useSession().data?.user.email;
  const [codes, setCodes] = useState<readonly string[]>();
  const title = purpose === 'renew' ? words.twoFactor.renew : words.twoFactor.turnOffTitle;
  const form = useForm({
    fields: ['password', 'code'],
    check: (field, values) =>
      field === 'code' ? codeError(values.code) : values.password === '' ? words.passwordNeeded : undefined,
    submit: async ({ password, code }) => {
      const body = { password, code: code.trim() };
      if (purpose === 'renew') return setCodes((await client.renewBackupCodes({ body })).backupCodes);
      await client.disableTwoFactor({ body });
      return onClose();
    },
    explain: error => (isWrongPassword(error) ? words.confirm.wrong : refusedCode(error)),
  });
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <div className="max-h-[80vh] overflow-y-auto p-5">
        {codes ? (
          <BackupCodes codes={codes} onDone={onClose} />
        ) : (
          <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
            <h2 className="text-15 font-semibold">{title}</h2>
            {purpose === 'renew' ? <p className="text-text-2">{words.twoFactor.renewHint}</p> : null}
            <FormProblem problem={form.problem} />
            {/* By it, password managers know the account. */}
            <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
            <PasswordField
              label={words.password}
              autoComplete="current-password"
              autoFocus
              {...form.field('password')}
            />
            <CodeField {...form.field('code')} />
            <div className="flex justify-end gap-2">
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button look="primary" type="submit" isDisabled={form.isBusy}>
                {purpose === 'renew' ? words.twoFactor.renew : words.twoFactor.turnOff}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Modal>
  );
}
