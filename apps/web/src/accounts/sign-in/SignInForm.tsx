import { ApiError, type SignInAnswer } from '@belvedere/api';
import { Button, PasswordField, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { emailError } from './passwords.ts';
import { PasskeyButton } from '../two-factor/PasskeyButton.tsx';
import { SecondStep } from '../two-factor/SecondStep.tsx';
import { useForm } from '../use-form.ts';

interface SignInFormProps {
  /** The only account that can sign in here. */
  readonly email?: string | undefined;
  /** Whether a forgotten password can be reset by mail. */
  readonly hasMail?: boolean;
  /** Whether it takes the focus. */
  readonly isFirst?: boolean;
  readonly onSignedIn: () => void | Promise<void>;
}

/** Email and password, and the second step where there is one; or a passkey. */
export function SignInForm({ email, hasMail = false, isFirst = true, onSignedIn }: SignInFormProps) {
  const [next, setNext] = useState<SignInAnswer['next']>();
  const form = useForm({
    fields: ['email', 'password'],
    initial: { ...(email !== undefined && { email }) },
    check: (field, values) =>
      field === 'email'
        ? emailError(values.email)
        : values.password === ''
          ? words.passwordNeeded
          : undefined,
    submit: async ({ email: typed, password }) => {
      const answer = await client.signIn({ body: { email: typed, password } });
      if (answer.next) setNext(answer.next);
      else await onSignedIn();
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 401 ? words.signIn.wrong : undefined,
  });
  if (next)
    return (
      <SecondStep
        next={next}
        email={form.values.email}
        onSignedIn={onSignedIn}
        onRestart={() => {
          form.clear();
          setNext(undefined);
        }}
      />
    );
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.email}
        type="email"
        name="username"
        autoComplete="username webauthn"
        maxLength={254}
        isReadOnly={email !== undefined}
        autoFocus={isFirst && email === undefined}
        {...form.field('email')}
      />
      <PasswordField
        label={words.password}
        autoComplete="current-password"
        autoFocus={isFirst && email !== undefined}
        {...form.field('password')}
      />
      <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
        {words.signIn.submit}
      </Button>
      <PasskeyButton email={email} onSignedIn={onSignedIn} fillsIn />
      {hasMail ? (
        <Link to="/forgot" className="text-12 text-accent-text underline">
          {words.signIn.forgotLink}
        </Link>
      ) : (
        <p className="text-12 text-text-2">{words.signIn.forgot}</p>
      )}
    </form>
  );
}
