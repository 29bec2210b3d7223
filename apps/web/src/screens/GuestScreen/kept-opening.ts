/**
 * Keeps the opening of a link in the tab. A reload does not count as another opening, and does not ask for
 * the passphrase again.
 */

interface Opening {
  readonly token: string;
  readonly downloads: boolean;
}

const name = 'belvedere-guest';

export function keepOpening(secret: string, opening: Opening): void {
  try {
    sessionStorage.setItem(name, JSON.stringify({ ...opening, secret }));
  } catch {
    // Without storage, the link is opened again.
  }
}

export function keptOpening(secret: string): Opening | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null') as (Opening & { secret: string }) | null;
    return kept?.secret === secret ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether there was one */
export function forgetOpening(secret: string): boolean {
  const wasKept = keptOpening(secret) !== undefined;
  try {
    sessionStorage.removeItem(name);
  } catch {
    // There is none.
  }
  return wasKept;
}
