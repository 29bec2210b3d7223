import { ApiError, type SignInAnswer } from '@belvedere/api';
import { Button, PasswordField } from '@belvedere/ui';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { words } from '../../accounts/messages/words.ts';
import { newPasswordError, refusedPassword } from '../../accounts/sign-in/passwords.ts';
import { SecondStep } from '../../accounts/two-factor/SecondStep.tsx';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { enter, useSignIn } from './use-sign-in.ts';

/** Sets a new password, with the token of a reset link, and signs in. */
export function ResetScreen() {
  const { token } = useParams({ from: '/reset/$token' });
  const { data } = useSignIn();
  const navigate = useNavigate();
  const [next, setNext] = useState<SignInAnswer['next']>();
  const form = useForm({
    fields: ['password'],
    check: (_, { password }) => newPasswordError(password),
    submit: async body => {
      const answer = await client.resetPassword({ params: { token }, body });
      if (answer.next) setNext(answer.next);
      else enter('/');
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 404 ? words.reset.gone : refusedPassword(error),
  });
  if (next)
    return (
      <PlainPage workspace={data?.title} title={words.signIn.title}>
        <SecondStep
          next={next}
          email={undefined}
          onSignedIn={() => enter('/')}
          onRestart={() => void navigate({ to: '/sign-in', search: {} })}
        />
      </PlainPage>
    );
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
