import type { Recipient } from '@belvedere/document';
import { ComboBox } from '@belvedere/ui';
import { useDeferredValue, useState } from 'react';
import { useSubjects } from '../accounts/account-data.ts';
import { SubjectIcon } from '../accounts/sharing/SubjectIcon.tsx';
import { useChannelNames } from '../channels/channel-data.ts';
import { usePermissions } from '../data/session/use-permissions.ts';
import { words } from './messages/words.ts';
import { keyOf, kindOf } from './recipient-edits.ts';

interface RecipientSearchProps {
  readonly label?: string;
  /** Those that are listed as added already. */
  readonly added: readonly Recipient[];
  readonly onChoose: (recipient: Recipient) => void;
}

interface Found {
  readonly recipient: Recipient;
  readonly title: string;
  readonly detail: string;
}

/** A search among users, groups and channels. Without accounts there are only channels. */
export function RecipientSearch({ label, added, onChoose }: RecipientSearchProps) {
  const { team } = usePermissions();
  const [text, setText] = useState('');
  const { data } = useSubjects(useDeferredValue(text.trim()), team);
  const { data: channels } = useChannelNames();
  const wanted = text.trim().toLowerCase();
  const found: readonly Found[] = [
    ...(team ? (data?.subjects ?? []) : []).flatMap(({ kind, name, email }): Found[] => {
      if (kind === 'user' && email !== undefined)
        return [{ recipient: { user: email.toLowerCase() }, title: name, detail: email }];
      return kind === 'group' ? [{ recipient: { group: name }, title: name, detail: words.group }] : [];
    }),
    ...(channels?.channels ?? [])
      .filter(({ name }) => name.toLowerCase().includes(wanted.replace(/^#/, '')))
      .map(({ name, state }): Found => {
        const detail = state === 'off' ? words.channelOff : words.channel;
        return { recipient: { channel: name }, title: name, detail };
      }),
  ];
  const isAdded = new Set(added.map(keyOf));
  return (
    <ComboBox
      label={label ?? (team ? words.add : words.addChannel)}
      text={text}
      onText={setText}
      items={found.map(({ recipient, title, detail }) => ({
        title,
        detail,
        id: keyOf(recipient),
        icon: <SubjectIcon kind={kindOf(recipient)} />,
        ...(isAdded.has(keyOf(recipient)) && { isDisabled: true, detail: words.isAdded }),
      }))}
      empty={team ? words.noneFound : words.noChannelFound}
      onChoose={id => {
        setText('');
        const recipient = found.find(one => keyOf(one.recipient) === id)?.recipient;
        if (recipient) onChoose(recipient);
      }}
    />
  );
}
