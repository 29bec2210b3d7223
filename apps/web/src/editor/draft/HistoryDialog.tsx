import type { Revision } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { localTimeFormat } from '../../data/session/own-zone.ts';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';
import { words } from '../messages/words.ts';
import { TextDiff } from '../text-view/TextDiff.tsx';

interface HistoryDialogProps {
  readonly editor: EditedText;
  /** The query key of the document's draft. */
  readonly id: string;
  readonly list: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly revisions: readonly Revision[]; readonly nextCursor?: string | undefined }>;
  readonly get: (number: number, signal: AbortSignal) => Promise<Revision & { readonly text: string }>;
  /** An image of the revision, if one can be drawn. */
  readonly pictures?: (revision: Revision) => ReactNode;
  readonly onClose: () => void;
}

/** The revisions of a document, with their differences and a button to restore one. */
export function HistoryDialog({ editor, id, list, get, pictures, onClose }: HistoryDialogProps) {
  const text = useEditor(editor, state => state.text);
  const hash = useEditor(editor, state => state.base.hash);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['workspace', 'revisions', id, hash],
    queryFn: ({ signal, pageParam }) => list(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
  });
  const [chosen, setChosen] = useState<number>();
  const revisions = data?.pages.flatMap(page => page.revisions) ?? [];
  // The current version would be compared with itself, unless the draft differs from it.
  const isUnchanged = useEditor(editor, state => state.text === state.base.text);
  const first = isUnchanged ? (revisions.find(one => one.hash !== hash) ?? revisions[0]) : revisions[0];
  const number = chosen ?? first?.number;
  const { data: revision } = useQuery({
    queryKey: ['revision', id, number],
    queryFn: ({ signal }) => get(number!, signal),
    enabled: number !== undefined,
  });
  const name = ({ origin, message, at }: Revision) => [
    message || words.history[origin],
    localTimeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)),
  ];
  return (
    <Modal
      label={words.history.title}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-5xl"
    >
      <div className="flex h-[70vh] max-md:flex-col">
        <div className="w-64 shrink-0 overflow-y-auto border-e border-border p-3 max-md:h-40 max-md:w-full">
          <h2 className="pb-2 text-15 font-semibold">{words.history.title}</h2>
          {revisions.length === 0 ? <p className="text-text-2">{words.history.none}</p> : null}
          <ul>
            {revisions.map(one => {
              const [title, time] = name(one);
              return (
                <li key={one.number}>
                  <button
                    type="button"
                    aria-pressed={one.number === number}
                    onClick={() => setChosen(one.number)}
                    className={`w-full rounded-control px-2 py-1.5 text-start ${one.number === number ? 'bg-accent-weak text-accent-text' : 'hover:bg-hover'}`}
                  >
                    <span className="block truncate font-medium">{title}</span>
                    {one.author === undefined ? null : (
                      <span className="block truncate text-12">{one.author}</span>
                    )}
                    <span className="block text-12 text-text-2">
                      {time}
                      {one.hash === hash ? ` · ${words.history.current}` : ''}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
          {hasNextPage ? (
            <Button
              className="mt-2 w-full"
              isDisabled={isFetchingNextPage}
              onPress={() => void fetchNextPage()}
            >
              {words.history.more}
            </Button>
          ) : null}
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-2 p-3">
          {revision && pictures ? (
            <div className="grid shrink-0 grid-cols-2 gap-3 max-sm:hidden">{pictures(revision)}</div>
          ) : null}
          <p className="text-12 text-text-2">{words.history.compare}</p>
          <div className="min-h-0 flex-1 overflow-hidden rounded-control border border-border">
            {revision && revision.text !== text ? (
              <TextDiff
                key={`${revision.number}`}
                before={revision.text}
                after={text}
                label={words.history.compare}
              />
            ) : (
              <p className="p-3 text-text-2">{revision ? words.history.same : ''}</p>
            )}
          </div>
          <div className="flex justify-end gap-2">
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button
              look="primary"
              isDisabled={!revision || revision.text === text}
              onPress={() => {
                editor.type(words.steps.restore, revision!.text);
                onClose();
              }}
            >
              {words.history.restore}
            </Button>
          </div>
        </div>
      </div>
    </Modal>
  );
}
