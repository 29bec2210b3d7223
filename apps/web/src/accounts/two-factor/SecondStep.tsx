import { ApiError, type SignInAnswer } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useForm } from '../use-form.ts';
import { AuthenticatorSetUp } from './AuthenticatorSetUp.tsx';
import { CodeField, codeError, refusedCode } from './CodeField.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

interface SecondStepProps {
  readonly next: NonNullable<SignInAnswer['next']>;
  /** The account whose password was given; undefined if the page does not know it. */
  readonly email: string | undefined;
  readonly onSignedIn: () => void | Promise<void>;
  /** Goes back to the password. */
  readonly onRestart: () => void;
}

/** What follows the right password: a code, a passkey, or the set-up that the workspace requires. */
export function SecondStep({ next, email, onSignedIn, onRestart }: SecondStepProps) {
  const restart = (
    <Button look="quiet" onPress={onRestart}>
      {words.twoFactor.restart}
    </Button>
  );
  if (next === 'set-up')
    return (
      <div className="flex flex-col gap-3">
        <p className="text-text-2">{words.twoFactor.required}</p>
        <AuthenticatorSetUp
          title={words.twoFactor.requiredTitle}
          start={() => client.startRequiredTwoFactor({})}
          enable={async code => (await client.enableRequiredTwoFactor({ body: { code } })).backupCodes}
          explain={expired}
          onDone={() => void onSignedIn()}
        >
          {restart}
        </AuthenticatorSetUp>
      </div>
    );
  const passkey = <PasskeyButton email={email} onSignedIn={onSignedIn} />;
  return (
    <div className="flex flex-col gap-3">
      {next === 'passkey' ? (
        <p className="text-text-2">{words.twoFactor.stepPasskey}</p>
      ) : (
        <CodeForm onSignedIn={onSignedIn} />
      )}
      {passkey}
      <span className="self-start">{restart}</span>
    </div>
  );
}

function CodeForm({ onSignedIn }: Pick<SecondStepProps, 'onSignedIn'>) {
  const form = useForm({
    fields: ['code'],
    check: (_, { code }) => codeError(code),
    submit: async ({ code }) => {
      await client.enterCode({ body: { code: code.trim() } });
      await onSignedIn();
    },
    explain: error => refusedCode(error) ?? expired(error),
  });
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <p className="text-text-2">{words.twoFactor.stepHint}</p>
      <FormProblem problem={form.problem} />
      <CodeField autoFocus {...form.field('code')} />
      <Button look="primary" type="submit" className="mt-1 justify-center" isDisabled={form.isBusy}>
        {words.signIn.submit}
      </Button>
    </form>
  );
}

const expired = (error: unknown) =>
  error instanceof ApiError && error.problem.status === 401 ? words.twoFactor.expired : undefined;
