import { ApiError } from '@belvedere/api';
import { Button, Modal, PasswordField } from '@belvedere/ui';
import { client, useSession } from '../../data/server.ts';
import { useIdentities, useTwoFactor } from '../account-data.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { isWrongPassword } from './passwords.ts';
import { Or, ProviderWindows } from './ProviderButtons.tsx';
import { CodeField, codeError, refusedCode } from '../two-factor/CodeField.tsx';
import { ConfirmPasskeyButton } from '../two-factor/ConfirmPasskeyButton.tsx';
import { useForm } from '../use-form.ts';

/**
 * Asks for the password, and a code where two-factor sign-in is on, or to sign in again at a provider, before
 * a change that requires it.
 */
export function ConfirmPasswordDialog({ onDone }: { readonly onDone: (isConfirmed: boolean) => void }) {
  const email = useSession().data?.user.email;
  const { data: own } = useTwoFactor();
  const needsCode = own?.isOn === true;
  const form = useForm({
    fields: ['password', 'code'],
    check: (field, { password, code }) => {
      if (field === 'code') return needsCode ? codeError(code) : undefined;
      return password === '' ? words.passwordNeeded : undefined;
    },
    submit: async ({ password, code }) => {
      await client.confirmPassword({ body: { password, ...(needsCode && { code: code.trim() }) } });
      onDone(true);
    },
    explain: error => {
      if (isWrongPassword(error)) return words.confirm.wrong;
      const isRefused = error instanceof ApiError && error.problem.type === 'not-allowed';
      return refusedCode(error) ?? (isRefused ? words.twoFactor.passkeyNeeded : undefined);
    },
  });
  const { data: methods } = useIdentities();
  const hasPassword = methods?.hasPassword ?? true;
  const providers = (methods?.identities ?? []).map(({ provider, name }) => ({ id: provider, name }));
  const title = hasPassword ? words.confirm.title : words.provider.confirmTitle;
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onDone(false)} className="max-w-sm">
      <form noValidate className="flex flex-col gap-3 p-5" onSubmit={form.onSubmit}>
        <h2 className="text-15 font-semibold">{title}</h2>
        <p className="text-text-2">{hasPassword ? words.confirm.hint : words.provider.confirmHint}</p>
        <FormProblem problem={form.problem} />
        {hasPassword ? (
          <>
            {/* By it, password managers know the account. */}
            <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
            <PasswordField
              label={words.password}
              autoComplete="current-password"
              autoFocus
              {...form.field('password')}
            />
            {needsCode ? <CodeField {...form.field('code')} /> : null}
          </>
        ) : null}
        {own?.canUsePasskeys && own.passkeys.length > 0 ? (
          <ConfirmPasskeyButton onConfirmed={() => onDone(true)} />
        ) : null}
        {providers.length > 0 ? (
          <div>
            {hasPassword ? <Or /> : null}
            <ProviderWindows
              providers={providers}
              begin={id => client.beginProviderConfirmation({ params: { provider: id } })}
              onDone={() => onDone(true)}
            />
          </div>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onPress={() => onDone(false)}>{words.cancel}</Button>
          {hasPassword ? (
            <Button look="primary" type="submit" isDisabled={form.isBusy}>
              {words.confirm.submit}
            </Button>
          ) : null}
        </div>
      </form>
    </Modal>
  );
}
