import { ApiError } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { Or, ProviderButtons } from '../../accounts/sign-in/ProviderButtons.tsx';
import { addressBeforeVisit } from '../../accounts/sign-in/provider-visit.ts';
import { providerProblem } from '../../accounts/sign-in/provider-problem.ts';
import { SignInForm } from '../../accounts/sign-in/SignInForm.tsx';
import { words } from '../../accounts/messages/words.ts';
import { nextAddress } from '../../data/session/next-address.ts';
import { client } from '../../data/server.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { enter, useSignIn } from './use-sign-in.ts';

/** Signs in, then goes to the address that the user came for. */
export function SignInScreen() {
  const { next, problem, provider } = useSearch({ from: '/sign-in' });
  const { data, error, refetch } = useSignIn();
  const [isOwner, setIsOwner] = useState(false);
  // A workspace without accounts.
  if (error instanceof ApiError && error.problem.status === 404) return <Navigate to="/" />;
  if (error) return <ErrorScreen error={error} reset={() => void refetch()} />;
  if (!data) return null;
  if (data.needsSetup) return <Navigate to="/setup" replace />;
  // Back from a provider, the tab remembers the address.
  const goal = problem === undefined ? nextAddress(next, window.location.origin) : addressBeforeVisit();
  const { providers } = data;
  const hasForm = data.hasPasswords || isOwner;
  return (
    <PlainPage workspace={data.title} title={words.signIn.title}>
      <FormProblem problem={providerProblem(problem, provider, providers)} />
      {providers.length > 0 ? (
        <div className={problem === undefined ? '' : 'pt-3'}>
          <ProviderButtons
            providers={providers}
            begin={id => client.beginProviderSignIn({ params: { provider: id }, body: {} })}
            next={goal}
          />
          {hasForm ? <Or /> : null}
        </div>
      ) : null}
      {hasForm ? (
        <SignInForm hasMail={data.hasMail} isFirst={providers.length === 0} onSignedIn={() => enter(goal)} />
      ) : (
        <Button look="quiet" className="mt-3" onPress={() => setIsOwner(true)}>
          {words.signIn.asOwner}
        </Button>
      )}
    </PlainPage>
  );
}
