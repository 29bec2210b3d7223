import type { Backups } from '@belvedere/api';
import { Checkbox, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client } from '../../../data/server.ts';
import { FormDialog } from '../../../dialogs/FormDialog.tsx';

interface BackupsDialogProps {
  readonly backups: Backups;
  readonly onClose: () => void;
}

const isTime = (text: string) => /^([01]?\d|2[0-3]):[0-5]\d$/.test(text.trim());
const isCount = (text: string) => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 1000;

/** Sets whether, when and where backups are made, and how many are kept. */
export function BackupsDialog({ backups, onClose }: BackupsDialogProps) {
  const [isOn, setIsOn] = useState(backups.isOn);
  const [at, setAt] = useState(backups.at);
  const [kept, setKept] = useState(String(backups.kept));
  const [folder, setFolder] = useState(backups.isStandardFolder ? '' : backups.folder);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { change, problem, isBusy } = useChange();
  const { dialog } = words.backups;
  const submit = async () => {
    setIsSubmitted(true);
    if (!isTime(at) || !isCount(kept)) return;
    const isSaved = await change(() =>
      client.saveBackups({
        body: {
          isOn,
          at: at.trim().padStart(5, '0'),
          kept: Number(kept),
          ...(folder.trim() !== '' && { folder: folder.trim() }),
        },
      }),
    );
    if (isSaved) onClose();
  };
  return (
    <FormDialog
      title={dialog.title}
      size="large"
      submitLabel={words.save}
      isDisabled={isBusy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormProblem problem={problem} />
      <Checkbox isSelected={isOn} onChange={setIsOn}>
        {dialog.isOn}
      </Checkbox>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={dialog.at}
          hint={dialog.atHint(backups.zone)}
          placeholder="03:00"
          maxLength={5}
          value={at}
          onChange={setAt}
          {...(isSubmitted && !isTime(at) && { error: dialog.timeWrong })}
        />
        <TextField
          label={words.backups.kept}
          hint={dialog.keptHint}
          inputMode="decimal"
          maxLength={4}
          value={kept}
          onChange={setKept}
          {...(isSubmitted && !isCount(kept) && { error: dialog.keptWrong })}
        />
      </div>
      <TextField
        label={words.backups.folder}
        hint={dialog.folderHint}
        autoComplete="off"
        maxLength={1000}
        value={folder}
        onChange={setFolder}
      />
    </FormDialog>
  );
}
