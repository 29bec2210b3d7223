import { Search } from 'lucide-react';
import { useRef } from 'react';
import {
  Input,
  Label,
  SearchField as AriaSearchField,
  Text,
  TextField as AriaTextField,
} from 'react-aria-components';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit?: (value: string) => void;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
}

export function SearchField({ label, ...props }: SearchFieldProps) {
  return (
    <AriaSearchField
      aria-label={label}
      {...props}
      className="flex h-[30px] items-center gap-2 rounded-control border border-border bg-surface px-2 focus-within:border-accent pointer-coarse:h-11"
    >
      <Search size={14} aria-hidden className="shrink-0 text-text-3" />
      <Input
        placeholder={label}
        className="w-full min-w-0 bg-transparent text-13 text-text outline-none placeholder:text-text-3"
      />
    </AriaSearchField>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** Focused when it appears, with its value selected to be typed over. */
  readonly autoFocus?: boolean;
  readonly error?: string;
  readonly inputMode?: 'decimal' | 'text';
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'datetime-local';
  /** How browsers and password managers know the field (the `autocomplete` and `name` attributes). */
  readonly autoComplete?: string;
  readonly name?: string;
  readonly isReadOnly?: boolean;
  /** A sentence of help below the field. */
  readonly hint?: string;
  readonly onEnter?: () => void;
  /** Called with pasted text. Returns true if it handled the text, which is then not inserted. */
  readonly onPasteText?: (text: string) => boolean;
}

export function TextField({
  label,
  placeholder,
  error,
  hint,
  inputMode,
  onEnter,
  onPasteText,
  ...props
}: TextFieldProps) {
  const isNew = useRef(props.autoFocus === true);
  return (
    <AriaTextField
      {...props}
      {...(onPasteText && {
        onPaste: event => onPasteText(event.clipboardData.getData('text/plain')) && event.preventDefault(),
      })}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      className="flex min-w-0 flex-col gap-1"
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter?.();
        // Fields let all keys propagate: Escape to the dialog, others to the page.
        event.continuePropagation();
      }}
    >
      <Label className="text-12 text-text-2">{label}</Label>
      <Input
        placeholder={placeholder}
        inputMode={inputMode}
        onFocus={event => {
          if (isNew.current) event.currentTarget.select();
          isNew.current = false;
        }}
        className="tabular h-[30px] w-full min-w-0 rounded-control border border-border bg-surface px-2 text-13 text-text placeholder:text-text-3 focus:border-accent data-[invalid]:border-bad data-[readonly]:bg-canvas data-[readonly]:text-text-2 pointer-coarse:h-11"
      />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

/** A field's help and its error; the help belongs to the field's description. */
export function FieldNotes({
  hint,
  error,
}: {
  readonly hint: string | undefined;
  readonly error: string | undefined;
}) {
  return (
    <>
      {hint && !error ? (
        <Text slot="description" className="text-12 text-text-2">
          {hint}
        </Text>
      ) : null}
      {error ? (
        <span role="alert" className="text-12 text-bad">
          {error}
        </span>
      ) : null}
    </>
  );
}
