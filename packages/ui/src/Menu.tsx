import { lazy, Suspense, useState } from 'react';
import { IconButton } from './Button.tsx';
import type { MenuProps } from './OpenableMenu.tsx';

const fetchMenu = () => import('./OpenableMenu.tsx');
const OpenableMenu = lazy(() => fetchMenu().then(module => ({ default: module.OpenableMenu })));

/**
 * A button and the list of what can be done from it. The list is fetched when somebody comes near and built when it is opened, since a page
 * has sixty of them; the button changes places with the one that opens by itself only once it was pressed, so that no press is lost.
 */
export function Menu(props: MenuProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <span onPointerEnter={() => void fetchMenu()}>
      <IconButton label={props.label} aria-haspopup="true" onFocus={() => void fetchMenu()} onPress={() => setIsOpened(true)}>{props.icon}</IconButton>
    </span>
  );
  return isOpened ? <Suspense fallback={button}><OpenableMenu {...props} /></Suspense> : button;
}
