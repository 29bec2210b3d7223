import type { Session } from '@belvedere/api';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from '../data/connection/connection.ts';
import { signInAddress } from '../data/session/next-address.ts';
import { client, queryClient } from '../data/server.ts';
import { signedOut } from '../data/session/sign-in-state.ts';
import { Watched } from '../data/watched.ts';
import { mayHaveUnsentInput, noteInput } from './unsent-input.ts';

/** Whether the dialog for signing in lies over the page. It is decided when the session ends, not later. */
const asking = new Watched(false);

/**
 * Goes to the sign-in page once the session has ended.
 * @param isEditing whether the page is an editor, whose latest changes may not have been sent
 * @returns whether to ask on this page instead, since leaving it would lose something
 */
export function useSignInAgain(session: Session | undefined, isEditing: boolean): boolean {
  const isSignedOut = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const asksHere = useSyncExternalStore(asking.subscribe, asking.get);
  useEffect(noteInput, []);
  const isKnown = session !== undefined;
  useEffect(() => {
    if (!isSignedOut) return;
    if (isKnown && (isEditing || mayHaveUnsentInput())) {
      asking.set(true);
      return () => asking.set(false);
    }
    window.location.replace(signInAddress(window.location));
    return undefined;
  }, [isSignedOut, isKnown, isEditing]);
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
