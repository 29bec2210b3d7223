import { Button, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { words } from '../../accounts/messages/words.ts';
import { emailError } from '../../accounts/sign-in/passwords.ts';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { useSignIn } from './use-sign-in.ts';

/** Asks for a link with which a forgotten password is replaced. */
export function ForgotScreen() {
  const { data } = useSignIn();
  const [isSent, setIsSent] = useState(false);
  const form = useForm({
    fields: ['email'],
    check: (_, { email }) => emailError(email),
    submit: async body => {
      await client.requestPasswordReset({ body });
      setIsSent(true);
    },
  });
  const hasMail = data?.hasMail !== false;
  return (
    <PlainPage
      workspace={data?.title}
      title={words.forgotten.title}
      hint={hasMail ? words.forgotten.hint : words.signIn.forgot}
    >
      {!hasMail ? null : isSent ? (
        <p role="status" className="pb-3">
          {words.forgotten.sent}
        </p>
      ) : (
        <form noValidate className="flex flex-col gap-3 pb-3" onSubmit={form.onSubmit}>
          <FormProblem problem={form.problem} />
          <TextField
            label={words.email}
            type="email"
            name="username"
            autoComplete="username"
            maxLength={254}
            autoFocus
            {...form.field('email')}
          />
          <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
            {words.forgotten.submit}
          </Button>
        </form>
      )}
      <Link to="/sign-in" search={{}} className="text-12 text-accent-text underline">
        {words.forgotten.back}
      </Link>
    </PlainPage>
  );
}
