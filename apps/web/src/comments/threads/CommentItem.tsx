import type { Comment } from '@belvedere/api';
import { Button, Menu, StateChip } from '@belvedere/ui';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { agoText, momentText } from '../../accounts/times.ts';
import { client } from '../../data/server.ts';
import { Initials } from '../../shell/AccountMenu.tsx';
import { CommentBody } from '../text/CommentBody.tsx';
import { CommentField } from '../text/CommentField.tsx';
import { refreshComments } from '../comment-data.ts';
import { words } from '../messages/words.ts';
import { useAttempt } from '../use-attempt.ts';

interface CommentItemProps {
  readonly dashboard: string;
  readonly comment: Comment;
  readonly isUnread: boolean;
  readonly canWrite: boolean;
  readonly canModerate: boolean;
}

/** One comment: its author, its time and its text, with the way to change it. */
export function CommentItem({ dashboard, comment, isUnread, canWrite, canModerate }: CommentItemProps) {
  const { id, body, mentions, createdAt, editedAt, isOwn, isDeleted } = comment;
  const [edited, setEdited] = useState<string>();
  const [isRemoving, setIsRemoving] = useState(false);
  const { attempt, problem } = useAttempt(() => refreshComments(dashboard));
  const params = { id: dashboard, comment: id };
  const mayEdit = isOwn && canWrite;
  const mayRemove = isOwn || canModerate;
  if (isDeleted) return <p className="py-1 text-12 text-text-3">{words.deleted}</p>;
  const groups = [
    [
      ...(mayEdit
        ? [
            {
              id: 'edit',
              label: words.edit,
              icon: <Pencil size={15} aria-hidden />,
              onAction: () => setEdited(body),
            },
          ]
        : []),
      ...(mayRemove
        ? [
            {
              id: 'remove',
              label: words.remove,
              icon: <Trash2 size={15} aria-hidden />,
              onAction: () => setIsRemoving(true),
            },
          ]
        : []),
    ],
  ];
  return (
    <article aria-label={authorName(comment)} className="flex gap-2 py-1" data-comment={id}>
      <Initials name={comment.author.name ?? '?'} />
      <div className="min-w-0 flex-1">
        <header className="flex min-h-6 items-center gap-1.5">
          <span className="truncate text-13 font-medium">{authorName(comment)}</span>
          <span className="shrink-0 text-12 text-text-3" title={momentText(createdAt)}>
            {agoText(createdAt)}
          </span>
          {editedAt === undefined ? null : (
            <span className="shrink-0 text-12 text-text-3" title={momentText(editedAt)}>
              {words.edited}
            </span>
          )}
          {isUnread ? <StateChip tone="accent">{words.unread}</StateChip> : null}
          {mayEdit || mayRemove ? (
            <span className="ms-auto -my-1">
              <Menu label={words.more} icon={<Ellipsis size={15} aria-hidden />} groups={() => groups} />
            </span>
          ) : null}
        </header>
        {edited === undefined ? (
          <CommentBody body={body} mentions={mentions} />
        ) : (
          <CommentField
            dashboard={dashboard}
            label={words.edit}
            submitLabel={words.save}
            text={edited}
            onText={setEdited}
            mentioned={mentions}
            focusOn={id}
            onSubmit={async (next, people) => {
              await client.updateComment({ params, body: { body: next, mentions: people } });
              await refreshComments(dashboard);
              setEdited(undefined);
            }}
            onCancel={() => setEdited(undefined)}
          />
        )}
        {problem === undefined ? null : (
          <p role="alert" className="text-12 text-bad">
            {problem}
          </p>
        )}
        {isRemoving ? (
          <p className="flex flex-wrap items-center gap-2 py-1 text-12 text-text-2">
            <span className="flex-1">{words.removeHint}</span>
            <Button onPress={() => setIsRemoving(false)}>{words.cancel}</Button>
            <Button look="primary" onPress={() => void attempt(() => client.removeComment({ params }))}>
              {words.remove}
            </Button>
          </p>
        ) : null}
      </div>
    </article>
  );
}

/** The name of a comment's author, as its viewer sees it. */
export function authorName({ author, isOwn }: Pick<Comment, 'author' | 'isOwn'>): string {
  return isOwn ? words.you : (author.name ?? words.former);
}
