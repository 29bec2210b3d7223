import { CompletedTextarea } from '@belvedere/ui';
import { useMemo, useState } from 'react';
import { words } from '../../editor/messages/words.ts';
import { expressionCompletion } from './expression-completion.ts';
import type { SchemaColumn } from '../model-editing.ts';

/** An expression as it is written in the text. Completes the names of columns and functions. */
export function ExpressionField({
  label = words.model.expression,
  value,
  columns,
  canBeEmpty = false,
  onChange,
}: {
  readonly label?: string;
  readonly value: string;
  /** The columns that the expression may name. */
  readonly columns: readonly SchemaColumn[];
  readonly canBeEmpty?: boolean;
  readonly onChange: (value: string) => void;
}) {
  // An emptied field is no expression; its text is kept here until it is one again.
  const [typed, setTyped] = useState<string>();
  // Nothing is completed before something is typed.
  const [caret, setCaret] = useState(0);
  const shown = typed === '' && value !== '' ? typed : value;
  const completion = useMemo(
    () => expressionCompletion(shown, caret, columns, words.model.completions),
    [shown, caret, columns],
  );
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-12 text-text-2">
        {label}
      </span>
      <CompletedTextarea
        label={label}
        isCode
        value={shown}
        rows={Math.min(8, 2 + Math.floor(value.length / 34))}
        completion={completion}
        onWrite={(text, at) => {
          const one = text.replaceAll('\n', ' ');
          setTyped(one);
          setCaret(at);
          if (one !== '' || canBeEmpty) onChange(one);
        }}
        onCaret={setCaret}
        onBlur={() => setTyped(undefined)}
      />
    </div>
  );
}
