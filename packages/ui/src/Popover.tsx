import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { PopoverProps } from './PopoverContent.tsx';

export const PopoverContent = lazyComponent(() =>
  import('./PopoverContent.tsx').then(module => module.PopoverContent),
);

/** A button with a popover, whose code loads when the pointer or focus approaches, like that of a menu. */
export function Popover(props: PopoverProps) {
  const [isOpened, setIsOpened] = useState(props.opensAtOnce ?? false);
  const button = (
    <AriaButton
      className={props.triggerClassName ?? ''}
      aria-expanded={false}
      onHoverStart={PopoverContent.ahead}
      onFocus={PopoverContent.ahead}
      onPress={() => setIsOpened(true)}
    >
      {props.trigger}
    </AriaButton>
  );
  // Closed if loading fails, like a menu.
  return isOpened ? (
    <LazyBoundary fallback={button} onLacking={() => setIsOpened(false)}>
      <PopoverContent {...props} />
    </LazyBoundary>
  ) : (
    button
  );
}
