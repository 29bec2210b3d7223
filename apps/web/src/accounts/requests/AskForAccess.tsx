import { Button, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { useAccessRequests } from '../../data/session/access-requests.ts';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

/**
 * Asks those who manage a dashboard for access, where an owner allows it. Says the same whether there is such
 * a dashboard or not.
 */
export function AskForAccess({ dashboard }: { readonly dashboard: string }) {
  const { data } = useAccessRequests();
  const { change, isBusy, problem } = useChange();
  const [message, setMessage] = useState('');
  const [isSent, setIsSent] = useState(false);
  if (!data?.isOn) return null;
  if (isSent)
    return (
      <p role="status" className="mt-4 text-text-2">
        {words.requests.sent}
      </p>
    );
  const send = async () =>
    setIsSent(await change(() => client.requestAccess({ body: { dashboard, message: message.trim() } })));
  return (
    <form
      className="mt-6 flex w-full flex-col gap-2 text-start"
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        label={words.requests.message}
        value={message}
        onChange={setMessage}
        maxLength={500}
        placeholder={words.requests.messageHint}
      />
      <FormProblem problem={problem} />
      <span className="self-center">
        <Button type="submit" isDisabled={isBusy}>
          {words.requests.ask}
        </Button>
      </span>
    </form>
  );
}
