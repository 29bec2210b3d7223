import { LazyBoundary } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { lazyWithWords } from '../accounts/lazy-with-words.ts';
import { useSession } from '../data/server.ts';
import { requestedPassword } from '../data/session/sign-in-state.ts';
import { useSignInAgain } from './use-sign-in-again.ts';

const SignInAgainDialog = lazyWithWords(() =>
  import('../accounts/sign-in/SignInAgainDialog.tsx').then(module => module.SignInAgainDialog),
);
const ConfirmPasswordDialog = lazyWithWords(() =>
  import('../accounts/sign-in/ConfirmPasswordDialog.tsx').then(module => module.ConfirmPasswordDialog),
);

/**
 * The dialogs with which a user signs in again, or confirms the password for a sensitive change.
 * @param isEditing whether the screen is an editor, whose latest changes may not have been sent
 */
export function SessionDialogs({ isEditing }: { readonly isEditing: boolean }) {
  const { data: session } = useSession();
  const signsInAgain = useSignInAgain(session, isEditing);
  const onPassword = useSyncExternalStore(requestedPassword.subscribe, requestedPassword.get);
  return (
    <>
      {signsInAgain && session ? (
        <LazyBoundary fallback={null}>
          <SignInAgainDialog user={session.user} />
        </LazyBoundary>
      ) : null}
      {onPassword ? (
        <LazyBoundary fallback={null}>
          <ConfirmPasswordDialog onDone={onPassword} />
        </LazyBoundary>
      ) : null}
    </>
  );
}
