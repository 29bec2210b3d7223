import type { UserGroup } from '@belvedere/api';
import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client, useSession } from '../../data/server.ts';
import { attributesOf, rowsOf } from './attribute-rows.ts';
import { AttributeRows } from './AttributeRows.tsx';
import { attributesError } from './AttributesDialog.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { GroupChoice } from './GroupChoice.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

interface GroupDialogProps {
  /** Undefined for a new group. */
  readonly group: UserGroup | undefined;
  /** All groups. */
  readonly groups: readonly UserGroup[];
  readonly onClose: () => void;
}

/** Creates a group, or changes its name, its members, its attributes and the groups in it. */
export function GroupDialog({ group, groups, onClose }: GroupDialogProps) {
  const [name, setName] = useState(group?.name ?? '');
  const [rows, setRows] = useState(() => rowsOf(group?.attributes ?? {}));
  const [inner, setInner] = useState<readonly string[]>(group?.groups ?? []);
  const [members, setMembers] = useState<ReadonlyMap<string, boolean>>(new Map());
  const role = useSession().data?.role ?? 'viewer';
  const [error, setError] = useState<string>();
  const { change, isBusy, problem } = useChange();
  const title = group ? words.groups.editOf(group.name) : words.groups.create;
  const others = groups.filter(({ id }) => id !== group?.id);
  const isTaken = others.some(other => other.name.toLowerCase() === name.trim().toLowerCase());
  const membersNow = (isMember: boolean) => [...members].flatMap(([id, is]) => (is === isMember ? [id] : []));
  const save = async () => {
    const read = attributesOf(rows, group?.attributes ?? {});
    if (!('attributes' in read)) return setError(attributesError(read));
    const saved = await change(() =>
      client.saveGroup({
        params: { group: group?.id ?? newId() },
        body: {
          name: name.trim(),
          attributes: read.attributes,
          groups: [...inner],
          addMembers: membersNow(true),
          removeMembers: membersNow(false),
        },
        ifMatch: group?.version,
      }),
    );
    if (saved) onClose();
  };
  return (
    <FormDialog
      title={title}
      size="large"
      submitLabel={words.save}
      isDisabled={isBusy || isTaken || name.trim() === ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormProblem problem={problem} />
      <TextField
        label={words.name}
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
        {...(isTaken && { error: words.groups.exists })}
      />
      <GroupMembers groupId={group?.id} changes={members} onChanges={setMembers} role={role} />
      <GroupsInIt group={group} others={others} chosen={inner} onChange={setInner} />
      <AttributeRows
        rows={rows}
        error={error}
        onRows={next => {
          setRows(next);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}

/** The groups in a group. There is one level, so that only groups without groups can be in one. */
function GroupsInIt({
  group,
  others,
  chosen,
  onChange,
}: {
  readonly group: UserGroup | undefined;
  readonly others: readonly UserGroup[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const outer = others.filter(({ groups }) => group && groups.includes(group.id)).map(({ name }) => name);
  const possible = others.filter(({ groups }) => groups.length === 0);
  if (outer.length === 0 && possible.length === 0) return null;
  return (
    <section aria-label={words.groups.inner}>
      <h3 className="text-12 font-medium text-text-2">{words.groups.inner}</h3>
      {outer.length > 0 ? (
        <p className="text-12 text-text-2">{words.groups.isInner(outer.join(', '))}</p>
      ) : (
        <>
          <GroupChoice groups={possible} chosen={chosen} onChange={onChange} />
          <p className="text-12 text-text-2">{words.groups.innerHint}</p>
        </>
      )}
    </section>
  );
}

/** 128 random bits; `randomUUID` does not exist on pages that came over plain HTTP. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
