import { ApiError } from '@belvedere/api';
import { Button, PasswordField } from '@belvedere/ui';
import { useParams } from '@tanstack/react-router';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/PlainPage.tsx';
import { words } from '../../accounts/messages/words.ts';
import { newPasswordError, refusedPassword } from '../../accounts/passwords.ts';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { enter, useSignIn } from './use-sign-in.ts';

/** Sets a new password, with the token of a reset link, and signs in. */
export function ResetScreen() {
  const { token } = useParams({ from: '/reset/$token' });
  const { data } = useSignIn();
  const form = useForm({
    fields: ['password'],
    check: (_, { password }) => newPasswordError(password),
    submit: async body => {
      await client.resetPassword({ params: { token }, body });
      enter('/');
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 404 ? words.reset.gone : refusedPassword(error),
  });
  return (
    <PlainPage workspace={data?.title} title={words.reset.title} hint={words.reset.hint}>
      <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
        <FormProblem problem={form.problem} />
        <PasswordField
          label={words.newPassword}
          autoComplete="new-password"
          hint={words.passwordHint}
          autoFocus
          {...form.field('password')}
        />
        <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
          {words.reset.submit}
        </Button>
      </form>
    </PlainPage>
  );
}
