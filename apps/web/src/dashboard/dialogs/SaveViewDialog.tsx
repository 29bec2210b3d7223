import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { t } from '../../messages/messages.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

/** Asks for the name of a view; `taken` are the names that would be replaced. */
export function SaveViewDialog({
  taken,
  onSave,
  onClose,
}: {
  readonly taken: readonly string[];
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const name = typed.trim();
  const save = async () => {
    try {
      await onSave(name);
      onClose();
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <FormDialog
      title={t.views.saveTitle}
      submitLabel={t.views.keep}
      isDisabled={name === ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="text-text-2">{t.views.saveHint}</p>
      <TextField
        autoFocus
        label={t.views.name}
        maxLength={200}
        value={typed}
        onChange={setTyped}
        {...(error !== undefined && { error })}
      />
      {taken.includes(name) ? (
        <p role="status" className="text-12 text-warn">
          {t.views.replaces}
        </p>
      ) : null}
    </FormDialog>
  );
}
