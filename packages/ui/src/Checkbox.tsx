import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';

interface CheckboxProps {
  readonly isDisabled?: boolean;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
}

export function Checkbox({ children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      className="group flex min-h-7 items-center gap-2 rounded-control px-1.5 text-13 hover:bg-hover pointer-coarse:min-h-11"
    >
      <span
        aria-hidden
        className="flex size-4 shrink-0 items-center justify-center rounded border border-border-strong text-[10px] text-on-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-accent"
      >
        {props.isSelected ? '✓' : ''}
      </span>
      <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
    </AriaCheckbox>
  );
}
