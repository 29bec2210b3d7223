const setting = 'belvedere-view-as';

/**
 * The user as whom this tab shows everything, for the owner; until the tab is closed or the owner goes back.
 */
export const viewedAs = read();

/**
 * Loads the page again as that user, or as the owner, so that nothing shown before stays.
 */
export function viewAs(person: string | undefined): void {
  if (person === undefined) sessionStorage.removeItem(setting);
  else sessionStorage.setItem(setting, person);
  window.location.reload();
}

/** Adds the viewed user to an address that is requested without the client. */
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
