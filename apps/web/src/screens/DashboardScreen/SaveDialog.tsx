import { type OpenDashboard } from '@belvedere/api';
import { Button, Modal, TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardIdFrom } from '../../data/dashboards/dashboard-id.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

interface SaveDialogProps {
  readonly dashboard: OpenDashboard;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Makes an overview a dashboard of one's own: a file in the workspace. */
export function SaveDialog({ dashboard, isOpen, onOpenChange }: SaveDialogProps) {
  const [name, setName] = useState(dashboard.title);
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const id = dashboardIdFrom(name);
  const save = async () => {
    try {
      const { description: _, ...document } = dashboard.document!;
      await client.saveDashboard({ params: { id }, body: { document: { ...document, title: name.trim() } } });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onOpenChange(false);
      await navigate({ to: '/d/$dashboard', params: { dashboard: id }, search: {} });
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <Modal label={t.dashboard.saveAs} isOpen={isOpen} onOpenChange={onOpenChange} className="max-w-md">
      <div className="flex flex-col gap-3 p-4">
        <h2 className="text-15 font-semibold">{t.dashboard.saveAs}</h2>
        <TextField
          autoFocus
          label={t.dashboard.saveName}
          value={name}
          onChange={setName}
          onEnter={() => void save()}
          {...(error !== undefined && { error })}
        />
        <p className="text-12 text-text-2">{t.dashboard.saveHint}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={() => onOpenChange(false)}>{t.cancel}</Button>
          <Button look="primary" isDisabled={id === ''} onPress={() => void save()}>
            {t.dashboard.save}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
