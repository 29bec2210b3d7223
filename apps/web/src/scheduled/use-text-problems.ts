import type { DocumentError } from '@belvedere/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../data/server.ts';
import type { EditedText } from '../editor/state/document-editor.ts';
import { useEditor } from '../editor/state/editing.ts';
import type { ScheduledKind } from './scheduled-editor.ts';

const restMs = 400;
const none: readonly DocumentError[] = [];

/** What is wrong with a text that can be read: names that do not exist, conditions that do not fit. */
export function useTextProblems(editor: EditedText, kind: ScheduledKind): readonly DocumentError[] {
  const text = useEditor(editor, state => state.text);
  const isReadable = useEditor(editor, state => state.problems.length === 0);
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    // Under the key of the workspace, whose changes check it again.
    queryKey: ['workspace', 'text-problems', kind, rested],
    queryFn: ({ signal }) => client.validate({ body: { kind, text: rested } }, { signal }),
    enabled: isReadable,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  return isReadable ? (data?.errors ?? none) : none;
}
