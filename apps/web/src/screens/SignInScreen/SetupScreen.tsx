import { ApiError } from '@belvedere/api';
import { Button, PasswordField, TextField } from '@belvedere/ui';
import { Link, Navigate } from '@tanstack/react-router';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { words } from '../../accounts/messages/words.ts';
import { emailError, newPasswordError, refusedPassword } from '../../accounts/sign-in/passwords.ts';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { enter, useSignIn } from './use-sign-in.ts';

/** Creates the first owner, with the code that the server prints. */
export function SetupScreen() {
  const { data, error, refetch } = useSignIn();
  if (error instanceof ApiError && error.problem.status === 404) return <Navigate to="/" />;
  if (error) return <ErrorScreen error={error} reset={() => void refetch()} />;
  if (!data) return null;
  return (
    <PlainPage
      workspace={data.title}
      title={words.setup.title}
      hint={data.needsSetup ? words.setup.hint : words.setup.done}
    >
      {data.needsSetup ? (
        <SetupForm />
      ) : (
        <Link to="/sign-in" search={{}} className="text-accent-text underline">
          {words.setup.toSignIn}
        </Link>
      )}
    </PlainPage>
  );
}

function SetupForm() {
  const form = useForm({
    fields: ['code', 'name', 'email', 'password'],
    check: (field, values) => {
      if (field === 'email') return emailError(values.email);
      if (field === 'password') return newPasswordError(values.password);
      if (values[field].trim() !== '') return undefined;
      return field === 'code' ? words.setup.codeNeeded : words.nameNeeded;
    },
    submit: async ({ code, name, email, password }) => {
      await client.setUp({ body: { code: code.trim(), name, email, password } });
      enter('/');
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 403
        ? words.setup.codeWrong
        : refusedPassword(error),
  });
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.setup.code}
        hint={words.setup.codeHint}
        name="code"
        autoComplete="one-time-code"
        maxLength={100}
        autoFocus
        {...form.field('code')}
      />
      <TextField label={words.name} name="name" autoComplete="name" maxLength={100} {...form.field('name')} />
      <TextField
        label={words.email}
        type="email"
        name="username"
        autoComplete="username"
        maxLength={254}
        {...form.field('email')}
      />
      <PasswordField
        label={words.password}
        autoComplete="new-password"
        hint={words.passwordHint}
        {...form.field('password')}
      />
      <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
        {words.setup.submit}
      </Button>
    </form>
  );
}
