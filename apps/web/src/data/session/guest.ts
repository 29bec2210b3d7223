import type { Session } from '@belvedere/api';
import { overOneConnection } from '../connection/one-connection.ts';
import { Watched } from '../watched.ts';

const isBelow = (folder: string) => typeof location !== 'undefined' && location.pathname.startsWith(folder);
/** Whether this is a page for other sites' frames. */
export const isEmbedPage = isBelow('/embed/');
/**
 * Whether this is a page for guests: that of a public link, or one in a frame. It shows one dashboard, and
 * leads nowhere else.
 */
export const isGuestPage = isEmbedPage || isBelow('/s/');

interface GuestAccess {
  /** The headers of requests. */
  readonly token: string;
  readonly downloads: boolean;
}

let access: GuestAccess | undefined;

/** Whether the server has said that the link has ended. */
export const linkHasEnded = new Watched(false);

/** Whether the last request of this guest's page did not reach the server. */
export const isServerLost = new Watched(false);

let renew: () => Promise<boolean> = async () => false;

/** @param next gets a token in place of an expired one; returns whether there is one */
export function renewGuestsBy(next: () => Promise<boolean>): void {
  renew = next;
}

export function enterAsGuest(next: GuestAccess): void {
  access = next;
  linkHasEnded.set(false);
}

/** Whether files may be downloaded from this page. */
export const mayDownload = (): boolean => !isGuestPage || access?.downloads === true;

/** The session of guests: no name, and no permissions. */
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
 * Sends requests with the guest's token on a guest's page, and without the cookie of a session that this
 * browser may have. Where tokens are renewed, a request that came too late is sent again.
 */
export function asGuest(send: typeof fetch): typeof fetch {
  if (!isGuestPage) return send;
  const sendInTurn = isEmbedPage ? overOneConnection(send) : send;
  const attempt: typeof fetch = async (input, init) => {
    try {
      const response = await sendInTurn(input, {
        ...init,
        credentials: 'omit',
        headers: {
          ...(init?.headers as Readonly<Record<string, string>>),
          ...(access && { authorization: `Guest ${access.token}` }),
        },
      });
      // A proxy says so; 503 is also what a busy server answers, which must not be asked more often.
      isServerLost.set(response.status === 502 || response.status === 504);
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) isServerLost.set(true);
      throw error;
    }
  };
  return async (input, init) => {
    const sentWith = access;
    const response = await attempt(input, init);
    if (response.status !== 410 || !sentWith) return response;
    // Another request may already have renewed it.
    if (sentWith !== access ? access : await renew()) return attempt(input, init);
    access = undefined;
    linkHasEnded.set(true);
    return response;
  };
}
