import { useEffect, useState, type RefObject } from 'react';

/** Whether an element is in sight, or nearly. */
export interface InView {
  readonly isIn: () => boolean;
  /** Called whenever it comes into sight. @returns what stops that */
  readonly onEnter: (listener: () => void) => () => void;
}

/** So much of the window's height beside it counts as in sight: what is scrolled to is there already. */
const margin = '50%';

export function useInView(element: RefObject<HTMLElement | null>): InView {
  const [{ sight, see }] = useState(watchSight);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(entries => see(entries.at(-1)!.isIntersecting), {
      rootMargin: margin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, see]);
  return sight;
}

function watchSight(): { readonly sight: InView; readonly see: (isSeen: boolean) => void } {
  // Until something else is known it is drawn.
  let isIn = true;
  const listeners = new Set<() => void>();
  return {
    sight: {
      isIn: () => isIn,
      onEnter: listener => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    see: isSeen => {
      const enters = isSeen && !isIn;
      isIn = isSeen;
      if (enters) for (const listener of listeners) listener();
    },
  };
}
