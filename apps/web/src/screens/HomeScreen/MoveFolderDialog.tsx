import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

/** Renames or moves a folder with everything in it. */
export function MoveFolderDialog({
  folder,
  onMoved,
  onClose,
}: {
  readonly folder: string;
  readonly onMoved: (to: string) => void;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState(folder);
  const [error, setError] = useState<string>();
  const to = typed.trim().replace(/^\/+|\/+$/g, '');
  const move = async () => {
    try {
      await client.moveFolder({ body: { from: folder, to } });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onMoved(to);
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <Modal
      label={t.home.moveFolder}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={event => {
          event.preventDefault();
          if (to !== '' && to !== folder) void move();
        }}
      >
        <h2 className="text-15 font-semibold">{t.home.moveFolder}</h2>
        <TextField
          autoFocus
          label={t.home.moveTo}
          value={typed}
          onChange={setTyped}
          {...(error !== undefined && { error })}
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t.importOptions.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={to === '' || to === folder}>
            {t.home.move}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
