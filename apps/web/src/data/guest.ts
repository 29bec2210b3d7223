import type { Session } from '@belvedere/api';
import { Watched } from './watched.ts';

/** Whether this is the page of a public link. It shows one dashboard to a guest, and leads nowhere else. */
export const isGuestPage = typeof location !== 'undefined' && location.pathname.startsWith('/s/');

interface GuestAccess {
  /** What requests send. */
  readonly token: string;
  readonly downloads: boolean;
}

let access: GuestAccess | undefined;

/** Whether the link has ended: the server said so. */
export const linkHasEnded = new Watched(false);

export function enterAsGuest(next: GuestAccess): void {
  access = next;
  linkHasEnded.set(false);
}

/** Whether files may be downloaded from this page. */
export const mayDownload = (): boolean => !isGuestPage || access?.downloads === true;

/** What guests have in the place of a session: no name, and no permissions. */
export const guestSession: Session = {
  mode: 'team',
  user: { id: '', name: '' },
  role: 'viewer',
  workspace: {
    title: '',
    isSample: false,
    timezone: 'UTC',
    calendar: { weekStart: 'monday', fiscalYearStart: 'january' },
  },
  version: '',
  people: [],
};

/**
 * Sends requests with the guest's token on the page of a link, and without the cookie of a session that this
 * browser may have.
 */
export function asGuest(send: typeof fetch): typeof fetch {
  if (!isGuestPage) return send;
  return async (input, init) => {
    const sentWith = access;
    const response = await send(input, {
      ...init,
      credentials: 'omit',
      headers: {
        ...(init?.headers as Readonly<Record<string, string>>),
        ...(sentWith && { authorization: `Guest ${sentWith.token}` }),
      },
    });
    if (response.status === 410 && sentWith && sentWith === access) {
      access = undefined;
      linkHasEnded.set(true);
    }
    return response;
  };
}
