import type { InboxItem } from '@belvedere/api';
import { Button, LazyBoundary } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { lazyWithWords } from '../../accounts/lazy-with-words.ts';
import { agoText, momentText } from '../../accounts/times.ts';
import { refreshInbox, useInbox } from '../../comments/comment-data.ts';
import { CommentBody } from '../../comments/text/CommentBody.tsx';
import { words } from '../../comments/messages/words.ts';
import { useAttempt } from '../../comments/use-attempt.ts';
import { client } from '../../data/server.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

const OpenRequests = lazyWithWords(() =>
  import('../../accounts/requests/OpenRequests.tsx').then(module => module.OpenRequests),
);

/** Requests for access, and comments that mention the user or reply to their threads, with their dashboards. */
export function InboxScreen() {
  const { data, error } = useInbox();
  const { attempt, problem } = useAttempt(refreshInbox);
  if (error) return <ErrorScreen error={error} />;
  const mark = (isRead: boolean, comments?: number[]) =>
    void attempt(() => client.markInboxRead({ body: { isRead, ...(comments && { comments }) } }));
  return (
    <div className="mx-auto max-w-[720px] pt-6">
      <HeaderTitle title={words.inbox}>
        <span className="truncate text-14 font-semibold">{words.inbox}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
        <div className="min-w-0">
          <h1 className="text-20 font-semibold tracking-[-0.01em]">{words.inbox}</h1>
          <p className="text-text-2">{words.inboxHint}</p>
        </div>
        {data && data.unread > 0 ? <Button onPress={() => mark(true)}>{words.markAll}</Button> : null}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="pb-2 text-bad">
          {problem}
        </p>
      )}
      <LazyBoundary fallback={null}>
        <OpenRequests />
      </LazyBoundary>
      {data?.items.length === 0 ? (
        <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
          {words.emptyUnread}
        </p>
      ) : null}
      {data && data.items.length > 0 ? (
        <ul className="rounded-tile border border-border bg-surface">
          {data.items.map(item => (
            <Item key={item.comment} item={item} onMark={isRead => mark(isRead, [item.comment])} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const maxLetters = 300;
const excerptOf = (text: string) => (text.length > maxLetters ? `${text.slice(0, maxLetters)}…` : text);

function Item({ item, onMark }: { readonly item: InboxItem; readonly onMark: (isRead: boolean) => void }) {
  const { comment, reason, dashboard, author, body, mentions, createdAt, isRead } = item;
  const name = author.name ?? words.former;
  const sentences = { mention: words.mentioned, reply: words.replied, follow: words.commented };
  return (
    <li className="flex items-start gap-x-3 border-b max-sm:flex-col border-border px-3 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          {isRead ? null : (
            <span aria-hidden className="size-2 shrink-0 self-center rounded-full bg-accent" />
          )}
          <Link
            to="/d/$dashboard"
            params={{ dashboard: dashboard.id }}
            search={{ comment: String(comment) }}
            className={`min-w-0 wrap-anywhere hover:underline ${isRead ? 'text-text-2' : 'font-medium'}`}
          >
            {sentences[reason](name, dashboard.title)}
            {isRead ? null : <span className="sr-only"> ({words.unread})</span>}
          </Link>
          <span className="shrink-0 text-12 text-text-3" title={momentText(createdAt)}>
            {agoText(createdAt)}
          </span>
        </p>
        <div className="max-h-40 overflow-hidden">
          <CommentBody body={excerptOf(body)} mentions={mentions} />
        </div>
      </div>
      <Button look="quiet" onPress={() => onMark(!isRead)} className="-my-1 max-sm:-ms-2.5">
        {isRead ? words.markUnread : words.markRead}
      </Button>
    </li>
  );
}
