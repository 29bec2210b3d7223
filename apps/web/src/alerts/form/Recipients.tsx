import type { AlertFile } from '@belvedere/document';
import { Button, RemovableChip, Select, TextField } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../data/use-permissions.ts';
import { words } from '../messages/words.ts';
import type { OnEdit } from './set-value.ts';

type Notify = NonNullable<AlertFile['notify']>;
type RecipientKind = 'user' | 'group' | 'channel';

/** Without accounts, messages are sent to channels only. */
const recipientKinds = (hasAccounts: boolean): readonly RecipientKind[] =>
  hasAccounts ? ['user', 'group', 'channel'] : ['channel'];

export function Recipients({ notify, onEdit }: { readonly notify: Notify; readonly onEdit: OnEdit }) {
  const { team } = usePermissions();
  const [kind, setKind] = useState<RecipientKind>(team ? 'user' : 'channel');
  const [name, setName] = useState('');
  const clean = kind === 'user' ? name.trim().toLowerCase() : name.trim();
  const isValid = kind === 'user' ? /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(clean) : clean !== '';
  const add = () => {
    if (!isValid) return;
    onEdit([{ kind: 'set', path: ['notify'], value: [...notify, { [kind]: clean }] }]);
    setName('');
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="text-12 text-text-2">{words.recipients}</p>
      {notify.length === 0 ? <p>{team ? words.ownerOnly : words.noChannels}</p> : null}
      <div className="flex flex-wrap gap-1.5">
        {notify.map((one, i) => {
          const said = one.user ?? one.group ?? one.channel ?? '';
          return (
            <RemovableChip
              key={`${said} ${String(i)}`}
              label={said}
              removeLabel={words.removeRecipient(said)}
              onRemove={() =>
                onEdit([
                  notify.length === 1
                    ? { kind: 'remove', path: ['notify'] }
                    : { kind: 'remove', path: ['notify', i] },
                ])
              }
            />
          );
        })}
      </div>
      <div className="flex items-end gap-2">
        <span className="w-28 shrink-0">
          <Select
            label={words.recipientKind}
            value={kind}
            options={recipientKinds(team).map(value => ({
              value,
              label: words.recipientKinds[value],
            }))}
            onChange={value => setKind(value as RecipientKind)}
          />
        </span>
        <span className="min-w-0 flex-1">
          <TextField
            label={team ? words.recipientName : words.channelName}
            value={name}
            onChange={setName}
            onEnter={add}
          />
        </span>
        <Button isDisabled={!isValid} onPress={add}>
          <Plus size={15} aria-hidden />
          {words.add}
        </Button>
      </div>
    </div>
  );
}
