import { lazy, Suspense, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { PopoverProps } from './OpenablePopover.tsx';

const fetchPopover = () => import('./OpenablePopover.tsx');
const OpenablePopover = lazy(() => fetchPopover().then(module => ({ default: module.OpenablePopover })));

/** A button and what it opens beside itself, which is fetched when somebody comes near, as a menu is. */
export function Popover(props: PopoverProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = <AriaButton className={props.triggerClassName ?? ''} aria-expanded={false} onHoverStart={() => void fetchPopover()} onFocus={() => void fetchPopover()} onPress={() => setIsOpened(true)}>{props.trigger}</AriaButton>;
  return isOpened ? <Suspense fallback={button}><OpenablePopover {...props} /></Suspense> : button;
}
