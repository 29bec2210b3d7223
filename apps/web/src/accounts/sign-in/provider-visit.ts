import { nextAddress } from '../../data/session/next-address.ts';

/*
 * A visit to a sign-in provider leaves this page. Its tab remembers where it was going; a page that must stay
 * open waits for a window of its own.
 */

const nextKey = 'belvedere.next';
const channelName = 'belvedere.signed-in';

/** Goes to the provider's page in this tab. @param next where to go after signing in */
export function visitProvider(address: string, next: string): void {
  sessionStorage.setItem(nextKey, next);
  window.location.assign(address);
}

/** Returns where this tab was going when it left for a provider. */
export function addressBeforeVisit(): string {
  return nextAddress(sessionStorage.getItem(nextKey) ?? undefined, window.location.origin);
}

/**
 * Opens the provider's page in a window of its own. Call it at once on a click, or browsers block the window.
 * @returns whether the visit ended well; false too if its window cannot be opened
 */
export async function visitInWindow(
  begin: () => Promise<{ readonly address: string }>,
  signal: AbortSignal,
): Promise<boolean> {
  const opened = window.open('', '_blank', 'popup,width=520,height=720');
  if (!opened) return false;
  try {
    const { address } = await begin();
    const ended = endOfVisit(signal);
    opened.location.replace(address);
    return await ended;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function endOfVisit(signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const channel = new BroadcastChannel(channelName);
    const end = (isDone: boolean) => {
      channel.close();
      resolve(isDone);
    };
    channel.onmessage = ({ data }) => end(data === 'done');
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}

/** Tells the page that waits for this window how the visit ended. */
export function tellOpener(isDone: boolean): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(isDone ? 'done' : 'failed');
  channel.close();
}
