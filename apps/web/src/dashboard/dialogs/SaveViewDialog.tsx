import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { t } from '../../messages/messages.ts';

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
    <Modal label={t.views.save} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={event => {
          event.preventDefault();
          if (name !== '') void save();
        }}
      >
        <h2 className="text-15 font-semibold">{t.views.saveTitle}</h2>
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
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t.importOptions.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={name === ''}>
            {t.views.keep}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
