import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { PopoverProps } from './PopoverContent.tsx';

const PopoverContent = lazyComponent(() =>
  import('./PopoverContent.tsx').then(module => module.PopoverContent),
);

/** A button and what it opens beside itself, which is fetched when somebody comes near, as a menu is. */
export function Popover(props: PopoverProps) {
  const [isOpened, setIsOpened] = useState(false);
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
  // As a menu: closed where it cannot be had.
  return isOpened ? (
    <LazyBoundary fallback={button} onLacking={() => setIsOpened(false)}>
      <PopoverContent {...props} />
    </LazyBoundary>
  ) : (
    button
  );
}
