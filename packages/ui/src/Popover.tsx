import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Coming, fetched } from './lazy.tsx';
import type { PopoverProps } from './PopoverContent.tsx';

const OpenablePopover = fetched(() => import('./PopoverContent.tsx').then(module => module.OpenablePopover));

/** A button and what it opens beside itself, which is fetched when somebody comes near, as a menu is. */
export function Popover(props: PopoverProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <AriaButton
      className={props.triggerClassName ?? ''}
      aria-expanded={false}
      onHoverStart={OpenablePopover.ahead}
      onFocus={OpenablePopover.ahead}
      onPress={() => setIsOpened(true)}
    >
      {props.trigger}
    </AriaButton>
  );
  // As a menu: closed where it cannot be had.
  return isOpened ? (
    <Coming fallback={button} onLacking={() => setIsOpened(false)}>
      <OpenablePopover {...props} />
    </Coming>
  ) : (
    button
  );
}
