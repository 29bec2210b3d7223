import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { client, queryClient } from '../../../data/server.ts';
import { t } from '../../../messages/messages.ts';
import { FormDialog } from '../../../dialogs/FormDialog.tsx';

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
    <FormDialog
      title={t.home.moveFolder}
      submitLabel={t.home.move}
      isDisabled={to === '' || to === folder}
      onSubmit={() => void move()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t.home.moveTo}
        value={typed}
        onChange={setTyped}
        {...(error !== undefined && { error })}
      />
    </FormDialog>
  );
}
