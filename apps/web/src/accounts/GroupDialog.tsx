import type { UserGroup } from '@belvedere/api';
import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../data/server.ts';
import { attributesOf, rowsOf } from './attribute-rows.ts';
import { AttributeRows } from './AttributeRows.tsx';
import { attributesError } from './AttributesDialog.tsx';
import { FormProblem } from './FormProblem.tsx';
import { words } from './messages/words.ts';
import { useChange } from './use-change.ts';

interface GroupDialogProps {
  /** Undefined for a new group. */
  readonly group: UserGroup | undefined;
  /** Other groups' names. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates a group, or changes its name and attributes. */
export function GroupDialog({ group, taken, onClose }: GroupDialogProps) {
  const [name, setName] = useState(group?.name ?? '');
  const [rows, setRows] = useState(() => rowsOf(group?.attributes ?? {}));
  const [error, setError] = useState<string>();
  const { change, isBusy, problem } = useChange();
  const title = group ? words.groups.editOf(group.name) : words.groups.create;
  const isTaken = taken.some(other => other.toLowerCase() === name.trim().toLowerCase());
  const save = async () => {
    const read = attributesOf(rows, group?.attributes ?? {});
    if (!('attributes' in read)) return setError(attributesError(read));
    const saved = await change(() =>
      client.saveGroup({
        params: { group: group?.id ?? newId() },
        body: { name: name.trim(), attributes: read.attributes },
      }),
    );
    if (saved) onClose();
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <form
        noValidate
        className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-5"
        onSubmit={event => {
          event.preventDefault();
          if (name.trim() !== '' && !isTaken) void save();
        }}
      >
        <h2 className="text-15 font-semibold">{title}</h2>
        <FormProblem problem={problem} />
        <TextField
          label={words.name}
          maxLength={100}
          autoFocus
          value={name}
          onChange={setName}
          {...(isTaken && { error: words.groups.exists })}
        />
        <AttributeRows
          rows={rows}
          error={error}
          onRows={next => {
            setRows(next);
            setError(undefined);
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={isBusy || isTaken || name.trim() === ''}>
            {words.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** 128 random bits; `randomUUID` does not exist on pages that came over plain HTTP. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
