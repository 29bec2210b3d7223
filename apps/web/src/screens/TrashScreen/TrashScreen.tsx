import { Button } from '@belvedere/ui';
import { useState } from 'react';
import { localTimeFormat } from '../../data/session/own-zone.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useTrash } from '../../data/server.ts';
import { locale, t } from '../../messages/messages.ts';
import { relativeTime } from '../../messages/relative-time.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

/** What was moved to the trash, and the way back. */
export function TrashScreen() {
  const { data, error } = useTrash();
  const [failed, setFailed] = useState<string>();
  const [now] = useState(() => new Date());
  if (error) return <ErrorScreen error={error} />;
  const restore = async (number: number) => {
    try {
      await client.restoreDocument({ params: { number } });
      setFailed(undefined);
      await queryClient.invalidateQueries();
    } catch (problem) {
      setFailed(problemText(problem));
    }
  };
  const removed = data?.documents ?? [];
  return (
    <div className="mx-auto max-w-[720px] pt-6">
      <HeaderTitle title={t.trash.title}>
        <span className="truncate text-14 font-semibold">{t.trash.title}</span>
      </HeaderTitle>
      <h1 className="text-20 font-semibold tracking-[-0.01em]">{t.trash.title}</h1>
      <p className="pb-4 text-text-2">{data ? t.trash.hint(Math.round(data.keptDays)) : ''}</p>
      {failed ? (
        <p role="alert" className="pb-2 text-bad">
          {failed}
        </p>
      ) : null}
      {data && removed.length === 0 ? (
        <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
          {t.trash.empty}
        </p>
      ) : null}
      {removed.length > 0 ? (
        <ul className="rounded-tile border border-border bg-surface">
          {removed.map(({ number, kind, name, title, at }) => (
            <li
              key={number}
              className="flex items-center gap-3 border-b border-border px-3 py-2 last:border-0"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{title}</span>
                <span className="block truncate text-12 text-text-2">
                  {t.trash.kinds[kind]} · {name}
                </span>
              </span>
              <time
                dateTime={at}
                className="shrink-0 text-12 text-text-2"
                title={localTimeFormat({ dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))}
              >
                {relativeTime(new Date(at), now, locale)}
              </time>
              <Button onPress={() => void restore(number)}>{t.home.restore}</Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
