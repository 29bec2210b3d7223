import { useState } from 'react';
import { IconButton } from './Button.tsx';
import { LazyBoundary, lazyComponent } from './lazy.tsx';
import type { MenuProps } from './MenuContent.tsx';

const MenuContent = lazyComponent(() => import('./MenuContent.tsx').then(module => module.MenuContent));

/**
 * A button and the list of what can be done from it. The list is fetched when somebody comes near and built when it is opened, since a page
 * has sixty of them; the button changes places with the one that opens by itself only once it was pressed, so that no press is lost.
 */
export function Menu(props: MenuProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <span onPointerEnter={MenuContent.ahead}>
      <IconButton
        label={props.label}
        aria-haspopup="true"
        onFocus={MenuContent.ahead}
        onPress={() => setIsOpened(true)}
      >
        {props.icon}
      </IconButton>
    </span>
  );
  // Where it cannot be had it is closed: it would open by itself much later.
  return isOpened ? (
    <LazyBoundary fallback={button} onLacking={() => setIsOpened(false)}>
      <MenuContent {...props} />
    </LazyBoundary>
  ) : (
    button
  );
}
