import { Button, Modal } from '@belvedere/ui';
import { useState } from 'react';
import { attributesOf, rowsOf, type Attributes } from './attribute-rows.ts';
import { AttributeRows } from './AttributeRows.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

interface AttributesDialogProps {
  readonly name: string;
  readonly attributes: Attributes;
  readonly onSave: (attributes: Attributes) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Edits a user's attributes. */
export function AttributesDialog({ name, attributes, onSave, onClose }: AttributesDialogProps) {
  const [rows, setRows] = useState(() => rowsOf(attributes));
  const [error, setError] = useState<string>();
  const { change, isBusy, problem } = useChange();
  const save = async () => {
    const read = attributesOf(rows, attributes);
    if (!('attributes' in read)) return setError(attributesError(read));
    if (await change(() => onSave(read.attributes))) onClose();
  };
  return (
    <Modal
      label={words.attributes.titleOf(name)}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-lg"
    >
      <form
        noValidate
        className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-5"
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 className="text-15 font-semibold">{words.attributes.titleOf(name)}</h2>
        <FormProblem problem={problem} />
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
          <Button look="primary" type="submit" isDisabled={isBusy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

export const attributesError = (read: { readonly badName: string } | { readonly twice: string }) =>
  'twice' in read ? words.attributes.twice(read.twice) : words.attributes.badName;
