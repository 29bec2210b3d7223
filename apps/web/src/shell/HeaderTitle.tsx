import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The part of the header that belongs to the screen. */
export const HeaderSlot = createContext<HTMLElement | null>(null);

/** Puts a screen's title and actions into the header that the shell keeps. */
export function HeaderTitle({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const position = useContext(HeaderSlot);
  useEffect(() => {
    document.title = `${title} · Belvedere`;
  }, [title]);
  return position ? createPortal(children, position) : null;
}
