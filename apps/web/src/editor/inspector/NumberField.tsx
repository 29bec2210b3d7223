import { TextField } from '@belvedere/ui';
import { useState } from 'react';

/** A number that may be left out; what is no number stays in the field and changes nothing. */
export function NumberField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={text => {
        const number = text.trim() === '' ? undefined : Number(text.replace(',', '.'));
        const isNumber = number === undefined || Number.isFinite(number);
        setTyped(isNumber && String(number ?? '') === text ? undefined : text);
        if (isNumber) onChange(number);
      }}
    />
  );
}
