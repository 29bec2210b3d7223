import { createBrowserHistory, parseHref } from '@tanstack/history';

/*
 * An address that is too long to be sent: servers, and what stands between, refuse a request with more than so many bytes of headers, ours 16 KiB,
 * others 8. Three hundred names chosen in a filter are as many. What stands behind a `#` is not sent, and is the page's own program's to read:
 *
 *   /d/flights?f.origin=["ATL"]        as it is mostly
 *   /d/flights#?f.origin=["ATL",…]     when it is long
 */

/** Letters of a search that go into a request. Quotes become three of them on the way. */
export const maxSent = 4000;

/** As it stands in the address bar, and in links. */
export function shownHref(href: string): string {
  const at = href.indexOf('?');
  return at < 0 || href.length - at <= maxSent || href[at - 1] === '#'
    ? href
    : `${href.slice(0, at)}#${href.slice(at)}`;
}

/** As the program knows it, with its search as one. */
export function knownHref({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  return hash.startsWith('#?') ? pathname + hash.slice(1) : pathname + search + hash;
}

/** What this page's address asks for. */
export function knownSearch(): URLSearchParams {
  return new URL(knownHref(window.location), window.location.origin).searchParams;
}

/** The browser's history, with addresses as they are shown. */
export const browserHistory = createBrowserHistory({
  createHref: shownHref,
  parseLocation: () => parseHref(knownHref(window.location), window.history.state),
});
