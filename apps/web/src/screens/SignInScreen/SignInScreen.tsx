import { ApiError } from '@belvedere/api';
import { Navigate, useSearch } from '@tanstack/react-router';
import { PlainPage } from '../../accounts/PlainPage.tsx';
import { SignInForm } from '../../accounts/SignInForm.tsx';
import { words } from '../../accounts/messages/words.ts';
import { nextAddress } from '../../data/next-address.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { enter, useSignIn } from './use-sign-in.ts';

/** Signs in, then goes to the address that the user came for. */
export function SignInScreen() {
  const { next } = useSearch({ from: '/sign-in' });
  const { data, error, refetch } = useSignIn();
  // A workspace without accounts.
  if (error instanceof ApiError && error.problem.status === 404) return <Navigate to="/" />;
  if (error) return <ErrorScreen error={error} reset={() => void refetch()} />;
  if (!data) return null;
  if (data.needsSetup) return <Navigate to="/setup" replace />;
  return (
    <PlainPage workspace={data.title} title={words.signIn.title}>
      <SignInForm onSignedIn={() => enter(nextAddress(next, window.location.origin))} />
    </PlainPage>
  );
}
