const setting = 'belvedere-seen-as';

/**
 * Whom everything in this tab is seen as, where the owner sees it as somebody else; for as long as the tab
 * stays, or until they go back.
 */
export const viewedAs = read();

/**
 * Everything is asked for anew, as that person, or as oneself: nothing that was seen before stays on the
 * page.
 */
export function viewAs(person: string | undefined): void {
  if (person === undefined) sessionStorage.removeItem(setting);
  else sessionStorage.setItem(setting, person);
  window.location.reload();
}

/** An address of the server that is not asked by the client, as whoever sees it. */
export function viewAsUrl(address: string): string {
  return viewedAs === undefined
    ? address
    : `${address}${address.includes('?') ? '&' : '?'}as=${encodeURIComponent(viewedAs)}`;
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(setting) ?? undefined;
  } catch {
    // A page that was opened from the disk may have no storage.
    return undefined;
  }
}
