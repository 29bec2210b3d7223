import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** What may stand in the place of the word at the caret. */
export interface TextCompletion {
  /** Where the word begins. */
  readonly at: number;
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly detail?: string }[];
  /** The text with an option in the word's place, and the caret after it. */
  readonly apply: (id: string) => { readonly text: string; readonly caret: number };
}

interface CompletedTextareaProps {
  readonly label: string;
  readonly value: string;
  readonly completion: TextCompletion | undefined;
  readonly onWrite: (text: string, caret: number) => void;
  readonly onCaret: (caret: number) => void;
  /** Keys that the list does not take. */
  readonly onKey?: (event: KeyboardEvent) => void;
  readonly onBlur?: () => void;
  readonly rows: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly isCode?: boolean;
  /** The list is above the field, not below. */
  readonly isListAbove?: boolean;
  readonly field?: RefObject<HTMLTextAreaElement | null>;
}

const fieldLook =
  'w-full resize-y rounded-control border border-border bg-surface text-text placeholder:text-text-3 ' +
  'focus:border-accent pointer-coarse:text-[16px]';
const listLook =
  'absolute inset-x-0 z-10 overflow-hidden rounded-control border border-border bg-raised py-1 shadow-float';
const optionLook = 'flex items-baseline gap-2 px-2.5 py-1 text-13 pointer-coarse:py-2.5';

/** A text area that lists what may complete the word at its caret. */
export function CompletedTextarea({
  label,
  value,
  completion,
  onWrite,
  onCaret,
  onKey,
  onBlur,
  isCode = false,
  isListAbove = false,
  field: given,
  ...props
}: CompletedTextareaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const field = given ?? own;
  const list = useId();
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const options = completion && completion.at !== closedAt ? completion.options : [];
  const chosen = options[Math.min(active, options.length - 1)];
  const write = (text: string, at: number) => {
    onWrite(text, at);
    setActive(0);
    if (!completion) setClosedAt(undefined);
  };
  const choose = (id: string) => {
    if (!completion) return;
    const next = completion.apply(id);
    // At once: the next key that is typed must find the caret behind the word.
    flushSync(() => {
      write(next.text, next.caret);
      setClosedAt(completion.at);
    });
    field.current?.focus();
    field.current?.setSelectionRange(next.caret, next.caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const isPlain = !event.ctrlKey && !event.metaKey;
    if (event.key === 'Escape' && completion && chosen) {
      event.stopPropagation();
      return setClosedAt(completion.at);
    }
    if (chosen && isPlain && step !== 0)
      setActive((Math.min(active, options.length - 1) + step + options.length) % options.length);
    else if (chosen && isPlain && (event.key === 'Enter' || event.key === 'Tab')) choose(chosen.id);
    else return onKey?.(event);
    return event.preventDefault();
  };
  return (
    <div className="relative">
      <textarea
        {...props}
        ref={field}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={chosen ? list : undefined}
        aria-activedescendant={chosen ? `${list}-${chosen.id}` : undefined}
        value={value}
        {...(isCode && { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' })}
        onChange={event => write(event.target.value, event.target.selectionStart)}
        onSelect={event => onCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setClosedAt(completion?.at);
          onBlur?.();
        }}
        className={`${fieldLook} ${isCode ? 'p-2 font-mono text-12' : 'px-2 py-1.5 text-13'}`}
      />
      {chosen ? (
        <ul
          id={list}
          role="listbox"
          aria-label={completion?.label}
          className={`${listLook} ${isListAbove ? 'bottom-full mb-1' : 'top-full'}`}
        >
          {options.map(option => (
            <li
              key={option.id}
              id={`${list}-${option.id}`}
              role="option"
              aria-selected={option === chosen}
              onPointerDown={event => {
                event.preventDefault();
                choose(option.id);
              }}
              className={`${optionLook} ${option === chosen ? 'bg-accent-weak text-accent-text' : ''}`}
            >
              <span className={`min-w-0 truncate ${isCode ? 'font-mono text-12' : ''}`}>{option.label}</span>
              {option.detail === undefined ? null : (
                <span className="min-w-0 flex-1 truncate text-end text-11 text-text-3">{option.detail}</span>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
