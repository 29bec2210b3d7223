import { InlineSelect } from '@belvedere/ui';
import { durationText } from '../alert-texts.ts';
import { words } from '../messages/words.ts';

/** A choice of durations, with the one of the text among them. */
export function DurationSelect({
  label,
  value,
  none,
  options,
  sayEvery = false,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  /** The option without a duration, if there is one. */
  readonly none?: string;
  readonly options: readonly string[];
  readonly sayEvery?: boolean;
  readonly onChange: (value: string | undefined) => void;
}) {
  const say = (duration: string) =>
    sayEvery ? words.checkEvery(durationText(duration)) : durationText(duration);
  const all = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <InlineSelect
      label={label}
      value={value ?? ''}
      options={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...all.map(duration => ({ value: duration, label: say(duration) })),
      ]}
      onChange={chosen => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}
