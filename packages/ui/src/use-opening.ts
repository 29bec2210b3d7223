import { useEffect, useRef, useState, type RefObject } from 'react';

/**
 * For a button that takes the place of one that was pressed: it has the focus before what it opens is there, so that the focus comes back
 * to it when that closes.
 */
export function useOpenState(): {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
} {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, onOpenChange] = useState(false);
  useEffect(() => {
    button.current?.focus();
    const soon = setTimeout(() => onOpenChange(true));
    return () => clearTimeout(soon);
  }, []);
  return { button, isOpen, onOpenChange };
}
