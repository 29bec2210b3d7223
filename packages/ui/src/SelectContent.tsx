import type { ReactNode } from 'react';
import { Button as AriaButton, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useOpenState } from './use-opening.ts';

interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly isDisabled?: boolean;
}

export interface SelectContentProps {
  readonly label: string;
  /** The value of an option; with any other value, no option is selected. */
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  /** IDs of the elements that name the button. */
  readonly names: string;
  readonly className: string;
  readonly content: ReactNode;
}

/** An option's key. A value may be empty, but a key may not. */
const keyOf = (value: string) => `=${value}`;

/**
 * The select's button with its open list. React Aria's own `Select` would add a native one for forms, with
 * the same label.
 */
export function SelectContent({
  label,
  value,
  options,
  names,
  className,
  content,
  onChange,
}: SelectContentProps) {
  const { button, isOpen, onOpenChange } = useOpenState();
  const isChosen = options.some(option => option.value === value);
  const open = () => onOpenChange(true);
  const choose = ([key]: readonly string[]) => {
    onOpenChange(false);
    // Choosing the selected option again keeps it selected.
    if (key !== undefined) onChange(key.slice(1));
  };
  return (
    <>
      <AriaButton
        ref={button}
        className={className}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-labelledby={names}
        onPress={open}
        onKeyDown={event =>
          event.key === 'ArrowDown' || event.key === 'ArrowUp' ? open() : event.continuePropagation()
        }
      >
        {content}
      </AriaButton>
      <Popover
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        placement="bottom start"
        offset={4}
        className="enter max-w-80 min-w-(--trigger-width) rounded-tile border border-border bg-raised p-1 shadow-float"
      >
        <ListBox
          aria-label={label}
          autoFocus={isChosen || 'first'}
          selectionMode="single"
          selectedKeys={isChosen ? [keyOf(value)] : []}
          onSelectionChange={keys => keys !== 'all' && choose([...keys] as string[])}
          className="max-h-[min(50vh,360px)] overflow-auto outline-none"
          items={options.map(option => ({ ...option, id: keyOf(option.value) }))}
        >
          {option => (
            <ListBoxItem
              textValue={option.label}
              isDisabled={option.isDisabled ?? false}
              className="flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 text-13 text-text outline-none data-[disabled]:text-text-3 data-[focused]:bg-hover pointer-coarse:min-h-11"
            >
              <span aria-hidden className="w-3 shrink-0 text-text-2">
                {option.value === value ? '✓' : ''}
              </span>
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </>
  );
}
