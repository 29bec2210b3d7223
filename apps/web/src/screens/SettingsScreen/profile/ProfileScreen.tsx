import { ApiError } from '@belvedere/api';
import { Button, Checkbox, InlineSelect, PasswordField, StateChip, TextField } from '@belvedere/ui';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AccessTokens } from '../../../accounts/tokens/AccessTokens.tsx';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { useIdentities, useMailChoice, useOwnSessions } from '../../../accounts/account-data.ts';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { newPasswordError, refusedPassword } from '../../../accounts/sign-in/passwords.ts';
import { providerProblem } from '../../../accounts/sign-in/provider-problem.ts';
import { agoText, momentText } from '../../../accounts/times.ts';
import { PasskeySection } from '../../../accounts/two-factor/PasskeySection.tsx';
import { TwoFactorSection } from '../../../accounts/two-factor/TwoFactorSection.tsx';
import { useChange } from '../../../accounts/use-change.ts';
import { useForm } from '../../../accounts/use-form.ts';
import { client, queryClient, useSession } from '../../../data/server.ts';
import { zoneOptions } from '../../../data/calendar-options.ts';
import { browserZone } from '../../../data/session/own-zone.ts';
import { EmailForm } from './EmailForm.tsx';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';
import { SignInAccounts } from './SignInAccounts.tsx';

/** The user's own account: name, password, sessions and access tokens. */
export function ProfileScreen() {
  const { data: session } = useSession();
  const { data: methods } = useIdentities();
  const { data: mail } = useMailChoice();
  const { problem, provider } = useSearch({ from: '/settings/profile' });
  return (
    <SettingsPage title={words.settings.profile} hint={words.profile.hint}>
      {session ? (
        <>
          <div className="pt-5 pb-5">
            <NameForm name={session.user.name} email={session.user.email} role={words.roles[session.role]} />
          </div>
          <SettingsSection id="zone" title={words.profile.zone} hint={words.profile.zoneHint}>
            <ZoneChoice zone={session.user.zone} />
          </SettingsSection>
          {methods?.hasPassword === false ? null : (
            <SettingsSection id="password" title={words.profile.password} hint={words.profile.passwordHint}>
              <PasswordForm email={session.user.email} />
            </SettingsSection>
          )}
          <SettingsSection id="two-factor" title={words.twoFactor.title} hint={words.twoFactor.hint}>
            <TwoFactorSection />
          </SettingsSection>
          <SettingsSection id="passkeys" title={words.twoFactor.passkeys} hint={words.twoFactor.passkeysHint}>
            <PasskeySection />
          </SettingsSection>
        </>
      ) : null}
      {methods?.hasMail ? (
        <SettingsSection id="email" title={words.newEmail.section} hint={words.newEmail.sectionHint}>
          <EmailForm hasPassword={methods.hasPassword} />
        </SettingsSection>
      ) : null}
      {methods && methods.identities.length + methods.providers.length > 0 ? (
        <SettingsSection id="accounts" title={words.methods.title} hint={words.methods.hint}>
          <SignInAccounts
            identities={methods.identities}
            providers={methods.providers}
            problem={providerProblem(problem, provider, [
              ...methods.providers,
              ...methods.identities.map(one => ({ id: one.provider, name: one.name })),
            ])}
          />
        </SettingsSection>
      ) : null}
      {mail?.hasMail ? (
        <SettingsSection id="comment-mail" title={words.commentMail.title} hint={words.commentMail.hint}>
          <MailChoice isOn={mail.isOn} />
        </SettingsSection>
      ) : null}
      <SettingsSection id="sessions" title={words.profile.sessions} hint={words.profile.sessionsHint}>
        <Sessions />
      </SettingsSection>
      <SettingsSection id="tokens" title={words.tokens.title} hint={words.tokens.hint}>
        <AccessTokens mayCreate />
      </SettingsSection>
    </SettingsPage>
  );
}

/** The zone of times that dashboards leave to their viewers, and of the interface’s own times. */
function ZoneChoice({ zone }: { readonly zone: string | undefined }) {
  const { change, problem } = useChange();
  const put = async (chosen: string) => {
    await client.updateProfile({ body: { zone: chosen === '' ? null : chosen } });
    await queryClient.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <div className="flex max-w-sm flex-col gap-3">
      <FormProblem problem={problem} />
      <InlineSelect
        label={words.profile.zone}
        value={zone ?? ''}
        options={[
          { value: '', label: words.profile.browserZone(browserZone().replaceAll('_', ' ')) },
          ...zoneOptions(zone),
        ]}
        onChange={chosen => void change(() => put(chosen))}
      />
    </div>
  );
}

function MailChoice({ isOn }: { readonly isOn: boolean }) {
  const { change, isBusy, problem } = useChange();
  return (
    <>
      <FormProblem problem={problem} />
      <Checkbox
        isSelected={isOn}
        isDisabled={isBusy}
        onChange={isSelected => void change(() => client.putMailChoice({ body: { isOn: isSelected } }))}
      >
        {words.commentMail.isOn}
      </Checkbox>
    </>
  );
}

function NameForm({
  name,
  email,
  role,
}: {
  readonly name: string;
  readonly email: string | undefined;
  readonly role: string;
}) {
  const [isSaved, setIsSaved] = useState(false);
  const form = useForm({
    fields: ['name'],
    initial: { name },
    check: (_, values) => (values.name.trim() === '' ? words.nameNeeded : undefined),
    submit: async values => {
      await client.updateProfile({ body: { name: values.name.trim() } });
      await queryClient.invalidateQueries({ queryKey: ['session'] });
      setIsSaved(true);
    },
  });
  const { onChange, ...field } = form.field('name');
  return (
    <form noValidate className="flex max-w-sm flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.name}
        name="name"
        autoComplete="name"
        maxLength={100}
        {...field}
        onChange={value => {
          setIsSaved(false);
          onChange(value);
        }}
      />
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-13">
        <dt className="text-text-2">{words.email}</dt>
        <dd className="min-w-0 wrap-anywhere">{email ?? '–'}</dd>
        <dt className="text-text-2">{words.people.role}</dt>
        <dd>{role}</dd>
      </dl>
      <span className="flex items-center gap-3">
        <Button type="submit" isDisabled={form.isBusy || form.values.name.trim() === name}>
          {words.save}
        </Button>
        <span role="status" className="text-good">
          {isSaved ? words.saved : ''}
        </span>
      </span>
    </form>
  );
}

function PasswordForm({ email }: { readonly email: string | undefined }) {
  const [isChanged, setIsChanged] = useState(false);
  const form = useForm({
    fields: ['current', 'next'],
    check: (field, values) =>
      field === 'next'
        ? newPasswordError(values.next)
        : values.current === ''
          ? words.passwordNeeded
          : undefined,
    submit: async ({ current, next }) => {
      setIsChanged(false);
      await client.changePassword({ body: { current, next } });
      form.clear();
      setIsChanged(true);
      await queryClient.invalidateQueries({ queryKey: ['accounts', 'sessions'] });
    },
    explain: error =>
      error instanceof ApiError &&
      !['not-signed-in', 'confirmation-needed'].includes(error.problem.type) &&
      [401, 403].includes(error.problem.status)
        ? words.profile.wrong
        : refusedPassword(error),
  });
  return (
    <form noValidate className="flex max-w-sm flex-col gap-3" onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      {/* By it, password managers know the account. */}
      <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField
        label={words.profile.current}
        autoComplete="current-password"
        {...form.field('current')}
      />
      <PasswordField
        label={words.newPassword}
        autoComplete="new-password"
        hint={words.passwordHint}
        {...form.field('next')}
      />
      <span className="flex items-center gap-3">
        <Button type="submit" isDisabled={form.isBusy}>
          {words.profile.change}
        </Button>
        <span role="status" className="text-good">
          {isChanged ? words.profile.changed : ''}
        </span>
      </span>
    </form>
  );
}

function Sessions() {
  const { data, error, isPending, refetch } = useOwnSessions();
  const { change, isBusy, problem } = useChange();
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      <FormProblem problem={problem} />
      <ul className="rounded-tile border border-border bg-surface">
        {(data?.sessions ?? []).map(({ id, isCurrent, usedAt, device, address }) => (
          <li key={id} className="flex items-center gap-3 border-b border-border px-3 py-2 last:border-0">
            <span className="min-w-0 flex-1">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate font-medium">{device || words.profile.unknown}</span>
                {isCurrent ? <StateChip tone="good">{words.profile.thisOne}</StateChip> : null}
              </span>
              <span className="block truncate text-12 text-text-2" title={momentText(usedAt)}>
                {[words.profile.usedAt(agoText(usedAt)), address].filter(Boolean).join(' · ')}
              </span>
            </span>
            {isCurrent ? null : (
              <Button
                aria-label={words.profile.endOf(device || words.profile.unknown)}
                isDisabled={isBusy}
                onPress={() => void change(() => client.endSession({ params: { session: id } }))}
              >
                {words.profile.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </QueryState>
  );
}
