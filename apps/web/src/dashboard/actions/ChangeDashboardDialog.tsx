import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { t } from '../../messages/messages.ts';
import { moveDashboard, renameDashboard } from './change-dashboard.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

interface ChangeDashboardDialogProps {
  readonly change: 'rename' | 'move';
  readonly id: string;
  readonly title: string;
  /** @param id its ID from now on */
  readonly onDone: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks for the new title or path of a dashboard. */
export function ChangeDashboardDialog({ change, id, title, onDone, onClose }: ChangeDashboardDialogProps) {
  const before = change === 'rename' ? title : id;
  const [typed, setTyped] = useState(before);
  const [error, setError] = useState<string>();
  const wanted = change === 'rename' ? typed.trim() : typed.trim().replace(/^\/+|\/+$/g, '');
  const label = change === 'rename' ? t.actions.renameTitle(title) : t.actions.moveTitle(title);
  const isChanged = wanted !== '' && wanted !== before;
  const save = async () => {
    try {
      if (change === 'rename') await renameDashboard(id, wanted);
      else await moveDashboard(id, wanted);
      onDone(change === 'rename' ? id : wanted);
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <FormDialog
      title={label}
      submitLabel={change === 'rename' ? t.actions.rename : t.home.move}
      isDisabled={!isChanged}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={change === 'rename' ? t.dashboard.saveName : t.home.moveTo}
        value={typed}
        onChange={text => {
          setTyped(text);
          setError(undefined);
        }}
        {...(error !== undefined && { error })}
      />
    </FormDialog>
  );
}
