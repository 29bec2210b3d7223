import { useState } from 'react';
import { words } from '../editor/messages/words.ts';

/** An expression of several words, as it is written in the text. */
export function ExpressionField({
  label = words.model.expression,
  value,
  onChange,
}: {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  // An emptied field is no expression; its text is kept here until it is one again.
  const [typed, setTyped] = useState<string>();
  return (
    <label className="flex flex-col gap-1">
      <span className="text-12 text-text-2">{label}</span>
      <textarea
        value={typed === '' && value !== '' ? typed : value}
        rows={Math.min(8, 2 + Math.floor(value.length / 34))}
        spellCheck={false}
        onChange={event => {
          const one = event.target.value.replaceAll('\n', ' ');
          setTyped(one);
          if (one !== '') onChange(one);
        }}
        onBlur={() => setTyped(undefined)}
        className="w-full resize-y rounded-control border border-border bg-surface p-2 font-mono text-12 text-text focus:border-accent"
      />
    </label>
  );
}
