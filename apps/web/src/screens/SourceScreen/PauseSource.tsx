import type { SourceSummary } from '@belvedere/api';
import { Button, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';
import { t } from '../../messages/messages.ts';

/** The button that pauses a database with a reason, or resumes it. */
export function PauseSource({ source }: { readonly source: SourceSummary }) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const isPaused = source.state === 'paused';
  const put = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      const body = isPaused ? { isPaused: false } : { isPaused: true, reason: reason.trim() };
      await client.pauseSource({ params: { name: source.name }, body });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      setIsAsking(false);
      setReason('');
    } catch (problem) {
      setError(problemText(problem));
    }
    setIsBusy(false);
  };
  return (
    <>
      <Button isDisabled={isBusy} onPress={() => (isPaused ? void put() : setIsAsking(true))}>
        {isPaused ? t.sources.resume : t.sources.pause}
      </Button>
      {error !== undefined && !isAsking ? (
        <span role="alert" className="text-13 text-bad">
          {error}
        </span>
      ) : null}
      {isAsking ? (
        <FormDialog
          title={t.sources.pauseTitle(source.label)}
          submitLabel={t.sources.pauseNow}
          isDisabled={isBusy}
          onSubmit={() => void put()}
          onClose={() => {
            setIsAsking(false);
            setError(undefined);
          }}
        >
          <p className="text-text-2">{t.sources.pauseHint}</p>
          <TextField
            autoFocus
            label={t.sources.pauseReason}
            maxLength={200}
            value={reason}
            onChange={setReason}
            {...(error !== undefined && { error })}
          />
        </FormDialog>
      ) : null}
    </>
  );
}
