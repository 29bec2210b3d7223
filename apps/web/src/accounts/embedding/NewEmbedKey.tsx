import type { EmbedKey } from '@belvedere/api';
import { Button, Checkbox, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client, useDashboards } from '../../data/server.ts';
import { refreshAccounts } from '../account-data.ts';
import { LinkField } from '../CopyLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useForm } from '../use-form.ts';
import { originsIn } from './origins.ts';

export interface KeyWithSecret {
  readonly key: EmbedKey;
  readonly secret: string;
}

interface NewEmbedKeyProps {
  /** The names of the keys that there are. */
  readonly taken: readonly string[];
  readonly onCreated: (created: KeyWithSecret) => void;
  readonly onClose: () => void;
}

/** Creates a key for embedding. */
export function NewEmbedKey({ taken, onCreated, onClose }: NewEmbedKeyProps) {
  const saved = (useDashboards().data?.dashboards ?? []).filter(({ origin }) => origin === 'saved');
  const [isForAll, setIsForAll] = useState(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isReady = isForAll || chosen.size > 0;
  const form = useForm({
    fields: ['name', 'origins'],
    check: (field, values) => {
      if (field === 'origins') return originsIn(values.origins) ? undefined : words.embedding.originsWrong;
      const name = values.name.trim();
      if (name === '') return words.links.nameNeeded;
      return taken.includes(name) ? words.embedding.nameTaken : undefined;
    },
    submit: async ({ name, origins }) => {
      const created = await client.createEmbedKey({
        body: {
          name: name.trim(),
          origins: originsIn(origins)!,
          ...(!isForAll && { dashboards: [...chosen] }),
        },
      });
      onCreated(created);
      await refreshAccounts();
    },
  });
  return (
    <form
      noValidate
      aria-label={words.embedding.add}
      className="mt-2 flex flex-col gap-4 rounded-tile border border-border bg-surface p-4"
      onSubmit={form.onSubmit}
    >
      <FormProblem problem={form.problem} />
      <TextField
        label={words.name}
        hint={words.embedding.nameHint}
        autoComplete="off"
        maxLength={100}
        autoFocus
        {...form.field('name')}
      />
      <TextField
        label={words.embedding.origins}
        hint={words.embedding.originsHint}
        autoComplete="off"
        maxLength={2000}
        {...form.field('origins')}
      />
      <fieldset>
        <legend className="pb-1 text-12 text-text-2">{words.embedding.dashboards}</legend>
        <Checkbox isSelected={isForAll} onChange={setIsForAll}>
          {words.embedding.everyDashboard}
        </Checkbox>
        {isForAll ? null : (
          <div className="ms-6 max-h-56 overflow-y-auto">
            {saved.map(({ id, title }) => (
              <Checkbox
                key={id}
                isSelected={chosen.has(id)}
                onChange={isChosen => {
                  const next = new Set(chosen);
                  if (isChosen) next.add(id);
                  else next.delete(id);
                  setChosen(next);
                }}
              >
                <span className="truncate">{title}</span>
              </Checkbox>
            ))}
          </div>
        )}
        {isReady ? null : (
          <p role="alert" className="text-12 text-bad">
            {words.embedding.dashboardNeeded}
          </p>
        )}
      </fieldset>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={form.isBusy || !isReady}>
          {words.embedding.submit}
        </Button>
      </div>
    </form>
  );
}

/** A key that was just created, with its secret, which is shown once. */
export function CreatedKey({
  created: { key, secret },
  onClose,
}: {
  readonly created: KeyWithSecret;
  readonly onClose: () => void;
}) {
  return (
    <div className="mt-2 flex flex-col gap-3 rounded-tile border border-border bg-surface p-4">
      <p role="status">{words.embedding.created}</p>
      <LinkField label={words.embedding.keyId} address={key.id} copy={words.embedding.copyId} />
      <LinkField label={words.embedding.secret} address={secret} copy={words.embedding.copySecret} />
      <div className="flex justify-end">
        <Button onPress={onClose}>{words.close}</Button>
      </div>
    </div>
  );
}
