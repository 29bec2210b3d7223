import { X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Button } from 'react-aria-components';

const tones = {
  neutral: 'bg-hover text-text-2',
  good: 'bg-good-weak text-good',
  warn: 'bg-warn-weak text-warn',
  bad: 'bg-bad-weak text-bad',
  accent: 'bg-accent-weak text-accent-text',
};

/** A chip that shows a state in a word. */
export function StateChip({
  tone,
  children,
}: {
  readonly tone: keyof typeof tones;
  readonly children: string;
}) {
  return (
    <span
      className={`inline-flex h-5 items-center rounded-full px-2 text-12 font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

/** A chip for an applied setting, with a button that removes it. */
export function RemovableChip({
  label,
  removeLabel,
  onRemove,
}: {
  readonly label: ReactNode;
  readonly removeLabel: string;
  readonly onRemove: () => void;
}) {
  return (
    <span className="inline-flex h-[30px] max-w-full min-w-0 items-center gap-1 rounded-control bg-accent-weak pe-0.5 ps-2.5 text-13 text-accent-text">
      <span className="truncate">{label}</span>
      <RemoveButton label={removeLabel} onRemove={onRemove} />
    </span>
  );
}

/** Does not re-render while the removed value changes, for example during a drag. */
const RemoveButton = memo(function RemoveButton({
  label,
  onRemove,
}: {
  readonly label: string;
  readonly onRemove: () => void;
}) {
  return (
    <Button
      aria-label={label}
      onPress={onRemove}
      className="flex size-6 shrink-0 items-center justify-center rounded hover:bg-accent/15"
    >
      <X size={14} aria-hidden />
    </Button>
  );
});
