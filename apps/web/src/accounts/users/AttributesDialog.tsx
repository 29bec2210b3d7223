import { useState } from 'react';
import { attributesOf, rowsOf, type Attributes } from './attribute-rows.ts';
import { AttributeRows } from './AttributeRows.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

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
    <FormDialog
      title={words.attributes.titleOf(name)}
      size="large"
      submitLabel={words.save}
      isDisabled={isBusy}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormProblem problem={problem} />
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

export const attributesError = (read: { readonly badName: string } | { readonly twice: string }) =>
  'twice' in read ? words.attributes.twice(read.twice) : words.attributes.badName;
