import { useEffect, useState, type RefObject } from 'react';

/** Whether an element is in view, or nearly. */
export interface InView {
  readonly isIn: () => boolean;
  /** Calls back whenever the element comes into view. @returns a function that stops it */
  readonly onEnter: (listener: () => void) => () => void;
}

/**
 * The margin that counts as in view, as a share of the window's height, so that tiles are drawn before they
 * are scrolled to.
 */
const margin = '50%';

export function useInView(element: RefObject<HTMLElement | null>): InView {
  const [{ inView, report }] = useState(watchVisibility);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(entries => report(entries.at(-1)!.isIntersecting), {
      rootMargin: margin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, report]);
  return inView;
}

function watchVisibility(): { readonly inView: InView; readonly report: (isVisible: boolean) => void } {
  // Counts as in view until the observer reports.
  let isIn = true;
  const listeners = new Set<() => void>();
  return {
    inView: {
      isIn: () => isIn,
      onEnter: listener => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    report: isVisible => {
      const enters = isVisible && !isIn;
      isIn = isVisible;
      if (enters) for (const listener of listeners) listener();
    },
  };
}
