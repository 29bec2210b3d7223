import { Button } from '@belvedere/ui';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { askPasskey, hasPasskeys, passkeyProblem } from './passkey-browser.ts';

/** Confirms a change with a passkey in place of the password. */
export function ConfirmPasskeyButton({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  if (!hasPasskeys()) return null;
  const confirm = async () => {
    const { options } = await client.getConfirmOptions({});
    await client.confirmWithPasskey({ body: { passkey: await askPasskey(options) } });
    onConfirmed();
  };
  const press = async () => {
    setIsBusy(true);
    setProblem(undefined);
    await confirm().catch((error: unknown) => setProblem(passkeyProblem(error)));
    setIsBusy(false);
  };
  return (
    <>
      <FormProblem problem={problem} />
      <Button className="justify-center" isDisabled={isBusy} onPress={() => void press()}>
        <Fingerprint size={15} aria-hidden />
        {words.twoFactor.confirmPasskey}
      </Button>
    </>
  );
}
