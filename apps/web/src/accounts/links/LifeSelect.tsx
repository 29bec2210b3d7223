import { InlineSelect } from '@belvedere/ui';
import { words } from '../messages/words.ts';

const lives = [1, 7, 30, 90, 365] as const;

interface LifeSelectProps {
  readonly label: string;
  readonly days: number;
  readonly onDays: (days: number) => void;
}

/** How many days a public link is valid, from now. */
export function LifeSelect({ label, days, onDays }: LifeSelectProps) {
  return (
    <InlineSelect
      label={label}
      value={String(days)}
      options={lives.map(one => ({ value: String(one), label: words.tokens.days(one) }))}
      onChange={value => onDays(Number(value))}
    />
  );
}
