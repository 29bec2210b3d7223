import { tokenScopes, type TokenScope } from '@belvedere/api';
import { Button, InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { refreshAccounts } from '../account-data.ts';
import { LinkField } from '../CopyLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useForm } from '../use-form.ts';

const lives = [7, 30, 90, 365] as const;

interface NewTokenProps {
  /** The user of the token; the current one if undefined. */
  readonly userId: string | undefined;
  /** Names of the tokens that there are. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates an access token, then shows it once. */
export function NewToken({ userId, taken, onClose }: NewTokenProps) {
  const [scope, setScope] = useState<TokenScope>('read');
  const [days, setDays] = useState(90);
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    fields: ['name'],
    check: (_, { name }) =>
      name.trim() === ''
        ? words.tokens.nameNeeded
        : taken.includes(name.trim())
          ? words.tokens.nameTaken
          : undefined,
    submit: async ({ name }) => {
      const body = { name: name.trim(), scope, days };
      const created = await (userId === undefined
        ? client.createOwnToken({ body })
        : client.createServiceToken({ params: { user: userId }, body }));
      setSecret(created.secret);
      await refreshAccounts();
    },
  });
  if (secret !== undefined)
    return (
      <div className="mt-3 flex flex-col gap-3 rounded-tile border border-border bg-surface p-4">
        <p role="status">{words.tokens.created}</p>
        <LinkField label={words.tokens.secret} address={secret} copy={words.tokens.copy} />
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    );
  return (
    <form
      noValidate
      className="mt-3 flex flex-col gap-3 rounded-tile border border-border bg-surface p-4"
      onSubmit={form.onSubmit}
    >
      <FormProblem problem={form.problem} />
      <TextField
        label={words.tokens.name}
        hint={words.tokens.nameHint}
        autoComplete="off"
        maxLength={100}
        autoFocus
        {...form.field('name')}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <InlineSelect
          label={words.tokens.scope}
          value={scope}
          options={tokenScopes.map(value => ({ value, label: words.tokens.scopes[value] }))}
          onChange={value => setScope(value as TokenScope)}
        />
        <InlineSelect
          label={words.tokens.life}
          value={String(days)}
          options={lives.map(one => ({ value: String(one), label: words.tokens.days(one) }))}
          onChange={value => setDays(Number(value))}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={form.isBusy}>
          {words.tokens.submit}
        </Button>
      </div>
    </form>
  );
}
