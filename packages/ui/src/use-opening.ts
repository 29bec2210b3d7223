import { useEffect, useRef, useState, type RefObject } from 'react';

/**
 * For a button that replaces a pressed one. It gets the focus before its content opens, so that the focus
 * returns to it when that closes.
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
