import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useState,
  type ReactNode,
  type RefCallback,
} from 'react';
import { createPortal } from 'react-dom';

/** The part of the header that belongs to the screen. */
export const HeaderSlot = createContext<HTMLElement | null>(null);

/**
 * Creates the slot before the header renders, so that a screen's title is part of the first paint and nothing
 * renders twice for it. The header attaches it with the returned ref.
 */
export function useHeaderSlot(): readonly [HTMLElement, RefCallback<HTMLElement>] {
  const [slot] = useState(() => {
    const element = document.createElement('div');
    element.className = 'flex min-w-0 flex-1 items-center gap-2';
    return element;
  });
  const attach = useCallback((parent: HTMLElement | null) => parent?.append(slot), [slot]);
  return [slot, attach];
}

/** Puts a screen's title and actions into the header that the shell keeps. */
export function HeaderTitle({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const slot = useContext(HeaderSlot);
  useEffect(() => {
    document.title = `${title} · Belvedere`;
  }, [title]);
  return slot ? createPortal(children, slot) : null;
}
