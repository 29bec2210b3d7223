import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Puts a screen's title and actions into the header that the shell keeps. */
export function HeaderTitle({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => setPlace(document.getElementById('header-title')), []);
  useEffect(() => {
    document.title = `${title} · Belvedere`;
  }, [title]);
  return place ? createPortal(children, place) : null;
}
