import { ApiError } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { words } from '../../accounts/messages/words.ts';
import { useForm } from '../../accounts/use-form.ts';
import { client } from '../../data/server.ts';
import { enter, useSignIn } from './use-sign-in.ts';

/** Confirms a new e-mail address, with the token of a link. Programs that open links of mails do not press. */
export function EmailScreen() {
  const { token } = useParams({ from: '/email/$token' });
  const { data } = useSignIn();
  const [email, setEmail] = useState<string>();
  const form = useForm({
    fields: [],
    check: () => undefined,
    submit: async () => setEmail((await client.confirmEmailChange({ params: { token } })).email),
    explain: error =>
      error instanceof ApiError && [400, 404].includes(error.problem.status)
        ? words.newEmail.gone
        : undefined,
  });
  if (email !== undefined)
    return (
      <PlainPage workspace={data?.title} title={words.newEmail.title}>
        <p role="status" className="pb-3 wrap-anywhere">
          {words.newEmail.done(email)}
        </p>
        <Button look="primary" className="justify-center" onPress={() => enter('/')}>
          {words.newEmail.toApp}
        </Button>
      </PlainPage>
    );
  return (
    <PlainPage workspace={data?.title} title={words.newEmail.title} hint={words.newEmail.hint}>
      <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
        <FormProblem problem={form.problem} />
        <Button look="primary" type="submit" className="justify-center" autoFocus isDisabled={form.isBusy}>
          {words.newEmail.submit}
        </Button>
      </form>
    </PlainPage>
  );
}
