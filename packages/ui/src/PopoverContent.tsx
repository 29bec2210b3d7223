import type { ReactNode } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover as AriaPopover } from 'react-aria-components';
import { useOpenState } from './use-opening.ts';

export interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly triggerClassName?: string;
  readonly width?: string;
  /** Opens as soon as it is shown. */
  readonly opensAtOnce?: boolean;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** The popover's button with its open content. */
export function PopoverContent({
  label,
  trigger,
  triggerClassName = '',
  width = 'w-72',
  children,
}: PopoverProps) {
  const { button, ...opening } = useOpenState();
  return (
    <DialogTrigger {...opening}>
      <AriaButton ref={button} className={triggerClassName}>
        {trigger}
      </AriaButton>
      <AriaPopover
        placement="bottom start"
        offset={6}
        className={`enter flex flex-col ${width} max-w-[calc(100vw-24px)] rounded-tile border border-border bg-raised shadow-float`}
      >
        <Dialog aria-label={label} className="max-h-[70vh] min-h-0 overflow-auto p-3">
          {({ close }) => <>{typeof children === 'function' ? children(close) : children}</>}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
