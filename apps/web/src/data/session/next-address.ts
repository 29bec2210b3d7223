/** The addresses outside of the shell, for people who are not signed in; `s` and `embed` are for guests. */
const plainPages = /^\/(sign-in|signed-in|forgot|email|setup|invite|reset|s|embed)(\/|$)/;

export const isPlainPage = (pathname: string): boolean => plainPages.test(pathname);

/**
 * Returns where to go after signing in: a path of this very server, with its search and fragment.
 * @param text from `?next=`; the author of the link chose it, so anything but an own path leads to Home
 */
export function nextAddress(text: string | undefined, origin: string): string {
  // Browsers read `//host`, `/\host` and paths with control characters as addresses of other servers.
  if (!text || !/^\/(?![/\\])/.test(text) || hasControls(text)) return '/';
  let url: URL;
  try {
    url = new URL(text, origin);
  } catch {
    return '/';
  }
  return url.origin !== origin || isPlainPage(url.pathname) ? '/' : text;
}

const hasControls = (text: string) => Array.from(text).some(letter => letter < ' ' || letter === '\u007f');

/** Returns the address of the sign-in page that leads back to a page. */
export function signInAddress({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) {
  const here = pathname + search + hash;
  return here === '/' || isPlainPage(pathname) ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`;
}
