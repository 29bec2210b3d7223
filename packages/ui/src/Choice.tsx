import { useId } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** One of a few: the system's own list, which every screen reader and every phone knows. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-12 text-text-2">{label}</label>
      <select id={id} value={value} onChange={event => onChange(event.target.value)} className="h-[30px] w-full min-w-0 rounded-control border border-border bg-surface px-1.5 text-13 text-text focus:border-accent pointer-coarse:h-11">
        {options.map(option => <option key={option.value} value={option.value}>{option.label}</option>)}
      </select>
    </div>
  );
}
