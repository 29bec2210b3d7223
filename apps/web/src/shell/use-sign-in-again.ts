import type { Session } from '@belvedere/api';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from '../data/connection.ts';
import { signInAddress } from '../data/next-address.ts';
import { client, queryClient } from '../data/server.ts';
import { signedOut } from '../data/sign-in-state.ts';

/**
 * Goes to the sign-in page once the session has ended.
 * @param isWriting whether the page has text that would be lost
 * @returns whether to ask on this page instead
 */
export function useSignInAgain(session: Session | undefined, isWriting: boolean): boolean {
  const isSignedOut = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const asksHere = isWriting && session !== undefined;
  useEffect(() => {
    if (isSignedOut && !asksHere) window.location.replace(signInAddress(window.location));
  }, [isSignedOut, asksHere]);
  const user = session?.user.id;
  // The user may sign in in another tab, too; another user must not find this page.
  useEffect(
    () =>
      connection.onOpen(() => {
        if (!signedOut.get()) return;
        void client.getSession({}).then(
          now => {
            if (user !== undefined && now.user.id !== user) return window.location.reload();
            signedOut.set(false);
            return queryClient.invalidateQueries();
          },
          () => {},
        );
      }),
    [user],
  );
  return isSignedOut && asksHere;
}
