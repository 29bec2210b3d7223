import { useLayoutEffect } from 'react';

/** Makes room for the comments beside the page's content. */
export function useRoomBeside(): void {
  useLayoutEffect(() => {
    const content = document.getElementById('content');
    content?.setAttribute('data-comments', '');
    return () => content?.removeAttribute('data-comments');
  }, []);
}
