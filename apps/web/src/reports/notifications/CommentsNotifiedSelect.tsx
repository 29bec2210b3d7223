import type { CommentsNotified } from '@belvedere/api';
import { InlineSelect } from '@belvedere/ui';
import { useAttempt } from '../../comments/use-attempt.ts';
import { refreshComments } from '../../comments/comment-data.ts';
import { client } from '../../data/server.ts';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { words } from '../messages/words.ts';

/** The comments on a dashboard that this user is notified of. A choice is saved at once. */
export function CommentsNotifiedSelect({
  dashboard,
  label,
  notified,
}: {
  readonly dashboard: string;
  readonly label: string;
  readonly notified: CommentsNotified;
}) {
  const { attempt, problem } = useAttempt(() => refreshComments(dashboard));
  const { choices } = words.notifications;
  return (
    <>
      <InlineSelect
        label={label}
        value={notified}
        options={(['all', 'involved', 'none'] as const).map(value => ({ value, label: choices[value] }))}
        onChange={value =>
          void attempt(() =>
            client.followComments({
              params: { id: dashboard },
              body: { notified: value as CommentsNotified },
            }),
          )
        }
      />
      <FormProblem problem={problem} />
    </>
  );
}
