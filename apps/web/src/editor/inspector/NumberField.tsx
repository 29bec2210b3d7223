import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../../messages/messages.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  /** Whether an empty field is an error. */
  readonly isRequired?: boolean;
  readonly onChange: (value: number | undefined) => void;
}

/** A number. An invalid text shows an error and changes nothing. */
export function NumberField({ label, value, isRequired = false, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  const isFit = (text: string) =>
    text.trim() === '' ? !isRequired : Number.isFinite(Number(text.replace(',', '.')));
  return (
    <TextField
      label={label}
      inputMode="decimal"
      {...(typed !== undefined && !isFit(typed) && { error: t.filters.notNumber })}
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={text => {
        const number = text.trim() === '' ? undefined : Number(text.replace(',', '.'));
        setTyped(isFit(text) && String(number ?? '') === text ? undefined : text);
        if (isFit(text)) onChange(number);
      }}
    />
  );
}
