import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { providerProblem } from '../../accounts/sign-in/provider-problem.ts';
import { addressBeforeVisit, tellOpener } from '../../accounts/sign-in/provider-visit.ts';
import { words } from '../../accounts/messages/words.ts';
import { enter, useSignIn } from './use-sign-in.ts';

/** Back from a provider: goes on to the address that the user came for, or ends the window that was opened. */
export function SignedInScreen() {
  const { for: purpose, problem, provider } = useSearch({ from: '/signed-in' });
  const { data } = useSignIn();
  useEffect(() => {
    if (purpose === undefined) return enter(addressBeforeVisit());
    if (problem !== undefined) return;
    tellOpener(true);
    window.close();
  }, [purpose, problem]);
  if (purpose === undefined) return null;
  const done = purpose === 'confirm' ? words.provider.confirmed : words.provider.done;
  return (
    <PlainPage
      workspace={data?.title}
      title={problem === undefined ? done : words.provider.failed}
      hint={words.provider.closeWindow}
    >
      <FormProblem problem={data && providerProblem(problem, provider, data.providers)} />
    </PlainPage>
  );
}
