import { maxCommentLength } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { problemText } from '../data/problem-text.ts';
import { client } from '../data/server.ts';
import { begunMention, withMention } from './begun-mention.ts';
import { words } from './messages/words.ts';

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

const fieldLook =
  'w-full resize-y rounded-control border border-border bg-surface px-2 py-1.5 text-13 text-text ' +
  'placeholder:text-text-3 focus:border-accent pointer-coarse:text-[16px]';
const listLook =
  'absolute inset-x-0 z-10 overflow-hidden rounded-control border border-border bg-raised py-1 shadow-float';
const personLook = 'truncate px-2.5 py-1 text-13 pointer-coarse:py-2.5';

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
  const list = useId();
  const [caret, setCaret] = useState(text.length);
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
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
  const begun = begunMention(text, caret);
  const { data } = useQuery({
    queryKey: ['mentionable', dashboard, begun?.search],
    queryFn: ({ signal }) =>
      client.findMentionable({ params: { id: dashboard }, query: { search: begun!.search } }, { signal }),
    enabled: begun !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const people = begun && begun.at !== closedAt ? (data?.people ?? []).slice(0, 6) : [];
  const chosen = people[Math.min(active, people.length - 1)];

  const write = (next: string, at: number) => {
    onText(next);
    setCaret(at);
    setActive(0);
    setProblem(undefined);
    if (!begunMention(next, at)) setClosedAt(undefined);
  };
  const mention = (person: Person) => {
    if (!begun) return;
    const next = withMention(text, begun.at, caret, person.name);
    setKnown(before => new Map([...before, [person.id, person]]));
    // At once: the next key that is typed must find the caret behind the name.
    flushSync(() => {
      write(next.text, next.caret);
      setClosedAt(begun.at);
    });
    field.current?.focus();
    field.current?.setSelectionRange(next.caret, next.caret);
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return void submit();
    }
    if (event.key === 'Escape' && begun && people.length > 0) {
      event.stopPropagation();
      return setClosedAt(begun.at);
    }
    if (!chosen) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setActive((Math.min(active, people.length - 1) + step + people.length) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') mention(chosen);
    else return;
    event.preventDefault();
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
      <div className="relative">
        <textarea
          ref={field}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={people.length > 0 ? list : undefined}
          aria-activedescendant={chosen ? `${list}-${chosen.id}` : undefined}
          value={text}
          rows={Math.min(10, Math.max(2, text.split('\n').length))}
          maxLength={maxCommentLength}
          placeholder={words.placeholder}
          onChange={event => write(event.target.value, event.target.selectionStart)}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          className={fieldLook}
        />
        {people.length > 0 ? (
          <ul
            id={list}
            role="listbox"
            aria-label={words.people}
            className={`${listLook} ${isListAbove ? 'bottom-full mb-1' : 'top-full'}`}
          >
            {people.map(person => (
              <li
                key={person.id}
                id={`${list}-${person.id}`}
                role="option"
                aria-selected={person === chosen}
                onPointerDown={event => {
                  event.preventDefault();
                  mention(person);
                }}
                className={`${personLook} ${person === chosen ? 'bg-accent-weak text-accent-text' : ''}`}
              >
                {person.name}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
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
