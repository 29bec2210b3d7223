import { ApiError } from '@belvedere/api';
import { Button, PasswordField, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { emailError } from '../../../accounts/sign-in/passwords.ts';
import { useForm } from '../../../accounts/use-form.ts';
import { client } from '../../../data/server.ts';

/** Changes the user's e-mail address, once it is confirmed from the new one. */
export function EmailForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    fields: ['email', 'password'],
    check: (field, values) =>
      field === 'email'
        ? emailError(values.email)
        : hasPassword && values.password === ''
          ? words.passwordNeeded
          : undefined,
    submit: async ({ email, password }) => {
      setSentTo(undefined);
      await client.requestEmailChange({ body: { email, ...(hasPassword && { password }) } });
      form.clear();
      setSentTo(email.trim());
    },
    explain: error =>
      error instanceof ApiError && error.problem.status === 403 ? words.profile.wrong : undefined,
  });
  return (
    <form noValidate className="flex max-w-sm flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.newEmail.label}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        {...form.field('email')}
      />
      {hasPassword ? (
        <PasswordField
          label={words.profile.current}
          autoComplete="current-password"
          {...form.field('password')}
        />
      ) : null}
      <span className="flex flex-wrap items-center gap-3">
        <Button type="submit" isDisabled={form.isBusy}>
          {words.newEmail.change}
        </Button>
        <span role="status" className="text-good wrap-anywhere">
          {sentTo === undefined ? '' : words.newEmail.sent(sentTo)}
        </span>
      </span>
    </form>
  );
}
