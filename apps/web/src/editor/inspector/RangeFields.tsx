import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { words } from '../messages/words.ts';

interface Range {
  readonly from?: string | number;
  readonly below?: string | number;
}

/** The ends of a range of numbers or days. An invalid text shows an error and changes nothing. */
export function RangeFields({
  condition,
  isNumber,
  isOne = false,
  onChange,
}: {
  readonly condition: Range;
  readonly isNumber: boolean;
  /** A place, not a range. */ readonly isOne?: boolean;
  readonly onChange: (range: Range) => void;
}) {
  const [typed, setTyped] = useState({
    from: String(condition.from ?? ''),
    below: String(condition.below ?? ''),
  });
  const put = (next: typeof typed) => {
    setTyped(next);
    const read = (text: string) => (text === '' ? undefined : isNumber ? Number(text) : text);
    const [from, below] = [read(next.from), read(next.below)];
    const isRead = [from, below].every(
      value =>
        value === undefined ||
        (isNumber
          ? !Number.isNaN(value)
          : /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?)?$/.test(String(value))),
    );
    if (isRead) onChange({ ...(from !== undefined && { from }), ...(below !== undefined && { below }) });
  };
  return (
    <div className={isOne ? '' : 'grid grid-cols-2 gap-2'}>
      <TextField
        label={isOne ? words.guides.at : words.model.from}
        value={typed.from}
        onChange={from => put({ ...typed, from })}
        placeholder={isNumber ? '0' : '2024-01-01'}
      />
      {isOne ? null : (
        <TextField
          label={words.model.below}
          value={typed.below}
          onChange={below => put({ ...typed, below })}
          placeholder={isNumber ? '100' : '2025-01-01'}
        />
      )}
    </div>
  );
}
