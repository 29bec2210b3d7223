import type { Session } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { connection } from '../data/connection.ts';
import { signInAddress } from '../data/next-address.ts';
import { signedOut } from '../data/sign-in-state.ts';
import { words } from './messages/words.ts';
import { SignInForm } from './SignInForm.tsx';

/**
 * Signs in the same user again over what they are writing. It stays open until then: nothing can be saved
 * before.
 */
export function SignInAgainDialog({ user }: { readonly user: Session['user'] }) {
  return (
    <Modal label={words.signIn.again} isOpen onOpenChange={() => {}} className="max-w-sm" hasOwnClose>
      <div className="flex flex-col gap-4 p-5">
        <div>
          <h2 className="text-15 font-semibold">{words.signIn.again}</h2>
          <p className="text-text-2">{words.signIn.againHint}</p>
        </div>
        <SignInForm
          email={user.email}
          onSignedIn={() => {
            signedOut.set(false);
            connection.reopen();
          }}
        />
        <Button
          look="quiet"
          className="self-start"
          onPress={() => window.location.replace(signInAddress(window.location))}
        >
          {words.signIn.leave}
        </Button>
      </div>
    </Modal>
  );
}
