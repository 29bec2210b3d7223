import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { SelectContentProps } from './SelectContent.tsx';

const SelectContent = lazyComponent(() => import('./SelectContent.tsx').then(module => module.SelectContent));

export interface SelectProps extends Pick<SelectContentProps, 'label' | 'value' | 'options' | 'onChange'> {
  /** The element that already shows the label. */
  readonly labelledBy?: string;
  /** Shown while no option is selected. */
  readonly placeholder?: string;
  readonly look?: keyof typeof looks;
  readonly className?: string;
}

const looks = {
  field: 'h-[30px] w-full border border-border bg-surface px-2 text-13 text-text pointer-coarse:h-11',
  /** For a select that adds items, whose selection does not persist. */
  add: 'h-[30px] w-full border border-dashed border-border-strong px-2 text-12 text-text-2 pointer-coarse:h-11',
  small: 'h-6 px-1 text-11 text-text-2 hover:bg-hover pointer-coarse:h-11',
  pill: 'h-full max-w-56 pe-2 text-13 font-medium text-text',
};

/**
 * A select with the same look in every browser. Like a menu, its list loads when the pointer or focus
 * approaches, and the button is replaced by the one that opens by itself once it is pressed.
 */
export function Select({
  look = 'field',
  className = '',
  labelledBy,
  placeholder = '',
  ...props
}: SelectProps) {
  const [isOpened, setIsOpened] = useState(false);
  const id = useId();
  const shown = props.options.find(option => option.value === props.value)?.label ?? placeholder;
  const label = labelledBy ?? `${id}-label`;
  const given: SelectContentProps = {
    ...props,
    // The visible value is part of the accessible name, but only once.
    names: shown === props.label ? label : `${id}-value ${label}`,
    className: `inline-flex min-w-0 items-center gap-1 rounded-control text-start ${looks[look]} ${className}`,
    content: (
      <>
        <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
          {shown}
        </span>
        <ChevronDown size={13} aria-hidden className="shrink-0 text-text-3" />
      </>
    ),
  };
  const open = () => setIsOpened(true);
  const button = (
    <AriaButton
      className={given.className}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-labelledby={given.names}
      onHoverStart={SelectContent.ahead}
      onFocus={SelectContent.ahead}
      onPress={open}
      onKeyDown={event =>
        event.key === 'ArrowDown' || event.key === 'ArrowUp' ? open() : event.continuePropagation()
      }
    >
      {given.content}
    </AriaButton>
  );
  return (
    <>
      {labelledBy === undefined ? (
        <span id={label} hidden>
          {props.label}
        </span>
      ) : null}
      {isOpened ? (
        <LazyBoundary fallback={button} onLacking={() => setIsOpened(false)}>
          <SelectContent {...given} />
        </LazyBoundary>
      ) : (
        button
      )}
    </>
  );
}
