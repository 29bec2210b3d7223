import { useState } from 'react';
import { IconButton } from './Button.tsx';
import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { MenuProps } from './MenuContent.tsx';

export const MenuContent = lazyComponent(() =>
  import('./MenuContent.tsx').then(module => module.MenuContent),
);

/**
 * A button with a menu. The menu's code loads when the pointer or focus approaches, and the menu is built
 * when it opens, since a page has sixty.
 * The button is replaced by the component that opens by itself only after a press, so that no press is lost.
 */
export function Menu(props: MenuProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <span onPointerEnter={MenuContent.ahead}>
      <IconButton
        label={props.label}
        {...(props.className !== undefined && { className: props.className })}
        aria-haspopup="true"
        onFocus={MenuContent.ahead}
        onPress={() => setIsOpened(true)}
      >
        {props.icon}
      </IconButton>
    </span>
  );
  // Closed if loading fails, since it would otherwise open by itself much later.
  return isOpened ? (
    <LazyBoundary fallback={button} onLacking={() => setIsOpened(false)}>
      <MenuContent {...props} />
    </LazyBoundary>
  ) : (
    button
  );
}
