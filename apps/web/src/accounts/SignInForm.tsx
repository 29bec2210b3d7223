import { ApiError } from '@belvedere/api';
import { Button, PasswordField, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { client } from '../data/server.ts';
import { FormProblem } from './FormProblem.tsx';
import { words } from './messages/words.ts';
import { emailError } from './passwords.ts';
import { useForm } from './use-form.ts';

interface SignInFormProps {
  /** The only account that can sign in here. */
  readonly email?: string | undefined;
  /** Whether a forgotten password can be reset by mail. */
  readonly hasMail?: boolean;
  /** Whether it takes the focus. */
  readonly isFirst?: boolean;
  readonly onSignedIn: () => void | Promise<void>;
}

/** Email and password. */
export function SignInForm({ email, hasMail = false, isFirst = true, onSignedIn }: SignInFormProps) {
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
      await client.signIn({ body: { email: typed, password } });
      await onSignedIn();
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 401 ? words.signIn.wrong : undefined,
  });
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.email}
        type="email"
        name="username"
        autoComplete="username"
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
