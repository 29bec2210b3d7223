import { useCallback, useEffect, useRef, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client } from '../data/server.ts';
import { locale } from '../messages/messages.ts';
import { saveResponse } from '../taking/save-response.ts';

export type SqlFormat = 'csv' | 'xlsx' | 'parquet';

interface Taking {
  readonly controller: AbortController;
  /** What has come of the file. */
  readonly bytes: number;
}

/** Takes all of what a statement gives away as a file: how much has come is known, and it can be called off. */
export function useTaking(source: string, onProblem: (text: string) => void): { readonly taking: Taking | undefined; readonly take: (sql: string, format: SqlFormat) => void } {
  const [taking, setTaking] = useState<Taking>();
  const open = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => open.current?.abort(), []);
  const take = useCallback((sql: string, format: SqlFormat) => {
    open.current?.abort();
    const controller = new AbortController();
    open.current = controller;
    const work = async () => {
      setTaking({ controller, bytes: 0 });
      const response = await client.takeSql({ params: { name: source }, body: { sql, format, locale } }, { signal: controller.signal });
      await saveResponse(response, `${source}.${format}`, bytes => setTaking({ controller, bytes }));
    };
    void work()
      .catch((error: unknown) => {
        if (!controller.signal.aborted) onProblem(problemText(error));
      })
      .finally(() => {
        if (open.current === controller) setTaking(undefined);
      });
  }, [source, onProblem]);
  return { taking, take };
}
