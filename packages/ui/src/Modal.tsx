import { LazyBoundary, lazyComponent } from './lazy.tsx';
import { useState } from 'react';
import type { ModalProps } from './ModalContent.tsx';

const ModalContent = lazyComponent(() => import('./ModalContent.tsx').then(module => module.ModalContent));

/**
 * A dialog over the page. The code that traps focus and hides the page from screen readers loads when the
 * first dialog opens.
 */
export function Modal(props: ModalProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  return wasOpened ? (
    <LazyBoundary fallback={null}>
      <ModalContent {...props} />
    </LazyBoundary>
  ) : null;
}
