import { ApiError, type SignInAnswer } from '@belvedere/api';
import { Button, PasswordField, TextField } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { Or, ProviderButtons } from '../../accounts/sign-in/ProviderButtons.tsx';
import { words } from '../../accounts/messages/words.ts';
import { newPasswordError, refusedPassword } from '../../accounts/sign-in/passwords.ts';
import { SecondStep } from '../../accounts/two-factor/SecondStep.tsx';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { enter, useSignIn } from './use-sign-in.ts';

const isGone = (error: unknown) => error instanceof ApiError && error.problem.status === 404;
/** An address that was cut off has no valid token. */
const isMalformed = (error: unknown) => error instanceof ApiError && error.problem.status === 400;

/** Accepts an invitation: creates the account and signs in. */
export function InviteScreen() {
  const { token } = useParams({ from: '/invite/$token' });
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.getInvitation({ params: { token } }, { signal }),
  });
  const { data: signIn } = useSignIn();
  if (isGone(error) || isMalformed(error))
    return (
      <PlainPage title={words.invite.gone} hint={words.invite.goneHint}>
        <Link to="/sign-in" search={{}} className="text-accent-text underline">
          {words.setup.toSignIn}
        </Link>
      </PlainPage>
    );
  if (error) return <ErrorScreen error={error} reset={() => void refetch()} />;
  if (!data) return null;
  return (
    <PlainPage workspace={data.title} title={words.invite.title(data.title)} hint={words.invite.hint}>
      {signIn && signIn.providers.length > 0 ? (
        <>
          <ProviderButtons
            providers={signIn.providers}
            begin={id => client.beginProviderSignIn({ params: { provider: id }, body: {} })}
            next="/"
          />
          {signIn.hasPasswords ? <Or /> : null}
        </>
      ) : null}
      {(signIn?.hasPasswords ?? true) ? <InviteForm token={token} email={data.email} /> : null}
    </PlainPage>
  );
}

function InviteForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const [next, setNext] = useState<SignInAnswer['next']>();
  const form = useForm({
    fields: ['name', 'password'],
    check: (field, values) => {
      if (field === 'password') return newPasswordError(values.password);
      return values.name.trim() === '' ? words.nameNeeded : undefined;
    },
    submit: async body => {
      const answer = await client.acceptInvitation({ params: { token }, body });
      if (answer.next) setNext(answer.next);
      else enter('/');
    },
    explain: error =>
      isGone(error) ? `${words.invite.gone}. ${words.invite.goneHint}` : refusedPassword(error),
  });
  if (next)
    return (
      <SecondStep
        next={next}
        email={email}
        onSignedIn={() => enter('/')}
        onRestart={() => void navigate({ to: '/sign-in', search: {} })}
      />
    );
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.email}
        type="email"
        name="username"
        autoComplete="username"
        isReadOnly
        value={email}
        onChange={() => {}}
      />
      <TextField
        label={words.name}
        name="name"
        autoComplete="name"
        maxLength={100}
        autoFocus
        {...form.field('name')}
      />
      <PasswordField
        label={words.password}
        autoComplete="new-password"
        hint={words.passwordHint}
        {...form.field('password')}
      />
      <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
        {words.invite.submit}
      </Button>
    </form>
  );
}
