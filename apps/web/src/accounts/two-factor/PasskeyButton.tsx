import { ApiError } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { askPasskey, canAutofill, endQuestion, hasPasskeys, passkeyProblem } from './passkey-browser.ts';

interface PasskeyButtonProps {
  /** The only account that may sign in, if there is one. */
  readonly email: string | undefined;
  readonly onSignedIn: () => void | Promise<void>;
  /** Also offers passkeys in the field of the e-mail address, where the browser can. */
  readonly fillsIn?: boolean;
}

/** A challenge is valid for five minutes. */
const renewedEveryMs = 4 * 60_000;

/** Signs in with a passkey. Shows nothing where the server or the browser has none. */
export function PasskeyButton({ email, onSignedIn, fillsIn = false }: PasskeyButtonProps) {
  const { data } = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => client.getSignIn({}, { signal }),
  });
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isOffered = data?.canUsePasskeys === true && hasPasskeys();
  const signIn = async (isAutofill: boolean) => {
    const { options } = await client.getPasskeyOptions({});
    const passkey = await askPasskey(options, isAutofill);
    await client.signInWithPasskey({ body: { passkey, ...(email !== undefined && { email }) } });
    await onSignedIn();
  };
  const fillIn = useRef(signIn);
  useEffect(() => {
    fillIn.current = signIn;
  });
  useEffect(() => {
    if (!isOffered || !fillsIn) return undefined;
    const offer = async () => {
      if (await canAutofill()) await fillIn.current(true);
    };
    // Ended questions reject: by a renewal, by the button, or by leaving the page.
    const begin = () =>
      void offer().catch((error: unknown) => {
        if (error instanceof ApiError) setProblem(explain(error));
      });
    begin();
    const renewal = setInterval(begin, renewedEveryMs);
    return () => {
      clearInterval(renewal);
      void endQuestion();
    };
  }, [isOffered, fillsIn]);
  if (!isOffered) return null;
  const press = async () => {
    setIsBusy(true);
    setProblem(undefined);
    await signIn(false).catch((error: unknown) => setProblem(explain(error)));
    setIsBusy(false);
  };
  return (
    <>
      <FormProblem problem={problem} />
      <Button className="justify-center" isDisabled={isBusy} onPress={() => void press()}>
        <Fingerprint size={15} aria-hidden />
        {words.twoFactor.withPasskey}
      </Button>
    </>
  );
}

const explain = (error: unknown) =>
  error instanceof ApiError && error.problem.status === 401
    ? words.twoFactor.unknownPasskey
    : passkeyProblem(error);
