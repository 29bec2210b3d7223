import { maxCommentLength } from '@belvedere/api';
import { Button, CompletedTextarea } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { mentionAt, withMention } from './mention.ts';
import { words } from '../messages/words.ts';

interface Person {
  readonly id: string;
  readonly name: string;
}

interface CommentFieldProps {
  readonly dashboard: string;
  readonly label: string;
  readonly submitLabel: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** People whom the text mentions already. */
  readonly mentioned?: readonly Person[];
  /** Takes the focus when this changes to something. */
  readonly focusOn?: unknown;
  /** Names are listed above the field, not below. */
  readonly isListAbove?: boolean;
  readonly onSubmit: (body: string, mentions: string[]) => Promise<void>;
  readonly onCancel?: () => void;
}

/** A field for a comment, which completes the names of people after an `@`. */
export function CommentField({
  dashboard,
  label,
  submitLabel,
  text,
  onText,
  mentioned = [],
  focusOn,
  isListAbove = false,
  onSubmit,
  onCancel,
}: CommentFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(text.length);
  const [known, setKnown] = useState<ReadonlyMap<string, Person>>(
    () => new Map(mentioned.map(one => [one.id, one])),
  );
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (focusOn === undefined) return undefined;
    // After a menu that led here, which gives the focus back to its button.
    const timer = setTimeout(() => field.current?.focus(), 60);
    return () => clearTimeout(timer);
  }, [focusOn]);
  const typed = mentionAt(text, caret);
  const { data } = useQuery({
    queryKey: ['mentionable', dashboard, typed?.search],
    queryFn: ({ signal }) =>
      client.findMentionable({ params: { id: dashboard }, query: { search: typed!.search } }, { signal }),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const people = typed ? (data?.people ?? []).slice(0, 6) : [];

  const mention = (id: string) => {
    const person = people.find(one => one.id === id)!;
    setKnown(before => new Map([...before, [person.id, person]]));
    return withMention(text, typed!.at, caret, person.name);
  };
  const submit = async () => {
    if (text.trim() === '' || isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      // A name that was typed to its end is meant, too.
      const all = new Map([...known, ...(data?.people ?? []).map(one => [one.id, one] as const)]);
      const mentions = [...all.values()].filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id);
      await onSubmit(text, mentions);
    } catch (error) {
      setProblem(problemText(error));
    }
    setIsBusy(false);
  };
  return (
    <form
      aria-label={label}
      className="flex flex-col gap-1.5"
      onSubmit={event => {
        event.preventDefault();
        void submit();
      }}
    >
      <CompletedTextarea
        field={field}
        label={label}
        value={text}
        completion={
          typed && {
            at: typed.at,
            label: words.people,
            options: people.map(({ id, name }) => ({ id, label: name })),
            apply: mention,
          }
        }
        onWrite={(next, at) => {
          onText(next);
          setCaret(at);
          setProblem(undefined);
        }}
        onCaret={setCaret}
        onKey={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void submit();
        }}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        maxLength={maxCommentLength}
        placeholder={words.placeholder}
        isListAbove={isListAbove}
      />
      {problem === undefined ? null : (
        <p role="alert" className="text-12 text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="min-w-0 flex-1 truncate text-11 text-text-3" title={words.hint}>
          {words.hint}
        </span>
        {onCancel ? <Button onPress={onCancel}>{words.cancel}</Button> : null}
        <Button look="primary" type="submit" isDisabled={text.trim() === '' || isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
