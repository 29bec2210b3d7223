import type { Session } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { connection } from '../../data/connection/connection.ts';
import { signInAddress } from '../../data/session/next-address.ts';
import { client, queryClient } from '../../data/server.ts';
import { signedOut } from '../../data/session/sign-in-state.ts';
import { words } from '../messages/words.ts';
import { Or, ProviderWindows } from './ProviderButtons.tsx';
import { SignInForm } from './SignInForm.tsx';

/**
 * Signs in the same user again over what they are writing. It stays open until then: nothing can be saved
 * before.
 */
export function SignInAgainDialog({ user }: { readonly user: Session['user'] }) {
  const { data } = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => client.getSignIn({}, { signal }),
  });
  return (
    <Modal label={words.signIn.again} isOpen onOpenChange={() => {}} className="max-w-sm" hasOwnClose>
      <div className="flex flex-col gap-4 p-5">
        <div>
          <h2 className="text-15 font-semibold">{words.signIn.again}</h2>
          <p className="text-text-2">{words.signIn.againHint}</p>
        </div>
        <SignInForm email={user.email} onSignedIn={goOn} />
        {data && data.providers.length > 0 ? (
          <div>
            <Or />
            <ProviderWindows
              providers={data.providers}
              begin={id => client.beginProviderSignIn({ params: { provider: id }, body: { again: true } })}
              onDone={() => void goOnAs(user)}
            />
          </div>
        ) : null}
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

function goOn(): void {
  signedOut.set(false);
  connection.reopen();
  // What failed meanwhile is fetched again.
  void queryClient.invalidateQueries();
}

/** At a provider, another user may have signed in, who must not find this page. */
async function goOnAs(user: Session['user']): Promise<void> {
  const now = await client.getSession({});
  if (now.user.id === user.id) goOn();
  else window.location.replace('/');
}
