import { ApiError } from '@belvedere/api';
import { Button, Modal, PasswordField } from '@belvedere/ui';
import { client, useSession } from '../data/server.ts';
import { FormProblem } from './FormProblem.tsx';
import { words } from './messages/words.ts';
import { useForm } from './use-form.ts';

/** Asks for the password before a change that requires it. */
export function ConfirmPasswordDialog({ onDone }: { readonly onDone: (isConfirmed: boolean) => void }) {
  const email = useSession().data?.user.email;
  const form = useForm({
    fields: ['password'],
    check: (_, { password }) => (password === '' ? words.passwordNeeded : undefined),
    submit: async body => {
      await client.confirmPassword({ body });
      onDone(true);
    },
    explain: error =>
      error instanceof ApiError &&
      error.problem.type !== 'not-signed-in' &&
      [400, 401, 403, 422].includes(error.problem.status)
        ? words.confirm.wrong
        : undefined,
  });
  return (
    <Modal
      label={words.confirm.title}
      isOpen
      onOpenChange={isOpen => !isOpen && onDone(false)}
      className="max-w-sm"
    >
      <form noValidate className="flex flex-col gap-3 p-5" onSubmit={form.onSubmit}>
        <h2 className="text-15 font-semibold">{words.confirm.title}</h2>
        <p className="text-text-2">{words.confirm.hint}</p>
        <FormProblem problem={form.problem} />
        {/* By it, password managers know the account. */}
        <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <PasswordField
          label={words.password}
          autoComplete="current-password"
          autoFocus
          {...form.field('password')}
        />
        <div className="flex justify-end gap-2">
          <Button onPress={() => onDone(false)}>{words.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={form.isBusy}>
            {words.confirm.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
