import { viewedGroup } from '@belvedere/api';
import { Button, ComboBox, Modal } from '@belvedere/ui';
import { useDeferredValue, useState } from 'react';
import { useSubjects } from '../accounts/account-data.ts';
import { words } from '../accounts/messages/words.ts';
import { SubjectIcon } from '../accounts/sharing/SubjectIcon.tsx';
import { useSession } from '../data/server.ts';
import { viewAs } from '../data/session/view-as.ts';
import { closeViewAs } from './view-as-dialog.ts';

interface Viewable {
  /** As the server knows it. */
  readonly id: string;
  readonly kind: 'user' | 'group';
  readonly title: string;
  readonly detail: string;
}

/** Chooses the user or the group as whose member everything is shown. */
export function ViewAsDialog() {
  const [text, setText] = useState('');
  const found = useViewable(text.trim());
  return (
    <Modal
      label={words.viewAs.title}
      isOpen
      onOpenChange={isOpen => !isOpen && closeViewAs()}
      className="max-w-md"
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{words.viewAs.title}</h2>
        <p className="text-text-2">{words.viewAs.hint}</p>
        <div className="flex">
          <ComboBox
            label={words.viewAs.search}
            text={text}
            onText={setText}
            items={found.map(({ kind, ...item }) => ({ ...item, icon: <SubjectIcon kind={kind} /> }))}
            empty={words.viewAs.nothing}
            onChoose={viewAs}
            autoFocus
          />
        </div>
        <div className="flex justify-end">
          <Button onPress={closeViewAs}>{words.cancel}</Button>
        </div>
      </div>
    </Modal>
  );
}

/** Other users and groups that a text finds, and the users of the policy tests. */
function useViewable(search: string): readonly Viewable[] {
  const { data: session } = useSession();
  const { data } = useSubjects(useDeferredValue(search));
  const wanted = search.toLowerCase();
  return [
    ...(data?.subjects ?? []).flatMap(({ kind, name, email }): Viewable[] => {
      if (kind === 'group')
        return [{ id: viewedGroup(name), kind, title: name, detail: words.viewAs.memberOfGroup }];
      const isOther = kind === 'user' && email !== undefined && email !== session?.user.email;
      return isOther ? [{ id: email, kind, title: name, detail: email }] : [];
    }),
    ...(session?.people ?? [])
      .filter(name => name.toLowerCase().includes(wanted))
      .map((name): Viewable => ({ id: name, kind: 'user', title: name, detail: words.viewAs.testUser })),
  ];
}
