import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useForm } from '../use-form.ts';
import { BackupCodes } from './BackupCodes.tsx';
import { CodeField, codeError, refusedCode } from './CodeField.tsx';

const QrCode = lazyComponent(() => import('./QrCode.tsx').then(module => module.QrCode));

interface AuthenticatorSetUpProps {
  readonly title: string;
  /** Returns a new key and its address for the QR code. */
  readonly start: () => Promise<{ readonly key: string; readonly address: string }>;
  /** Turns it on. Returns the backup codes. */
  readonly enable: (code: string) => Promise<readonly string[]>;
  /** Called once the backup codes are saved. */
  readonly onDone: () => void;
  /** Other buttons. */
  readonly children?: ReactNode;
  readonly explain?: (error: unknown) => string | undefined;
}

/** Sets up an authenticator app: shows a key, takes a first code, then shows the backup codes. */
export function AuthenticatorSetUp({
  title,
  start,
  enable,
  onDone,
  children,
  explain,
}: AuthenticatorSetUpProps) {
  const [given, setGiven] = useState<{ readonly key: string; readonly address: string }>();
  const [failure, setFailure] = useState<string>();
  const [codes, setCodes] = useState<readonly string[]>();
  const isStarted = useRef(false);
  useEffect(() => {
    // A second start would replace the key that is shown.
    if (isStarted.current) return;
    isStarted.current = true;
    start().then(setGiven, (error: unknown) => setFailure(explain?.(error) ?? problemText(error)));
  }, [start, explain]);
  const form = useForm({
    fields: ['code'],
    check: (_, { code }) => codeError(code),
    submit: async ({ code }) => setCodes(await enable(code.trim())),
    explain: error => refusedCode(error) ?? explain?.(error),
  });
  if (codes) return <BackupCodes codes={codes} onDone={onDone} />;
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
      <h2 className="text-15 font-semibold">{title}</h2>
      <FormProblem problem={failure ?? form.problem} />
      {given ? (
        <>
          <p className="text-text-2">{words.twoFactor.scan}</p>
          <div className="flex min-h-[216px] justify-center">
            <LazyBoundary fallback={null}>
              <QrCode text={given.address} label={words.twoFactor.qr} />
            </LazyBoundary>
          </div>
          <dl className="text-12">
            <dt className="text-text-2">{words.twoFactor.key}</dt>
            <dd className="font-mono text-13 wrap-anywhere select-all">{inGroups(given.key)}</dd>
          </dl>
          <CodeField hint={words.twoFactor.codeHint} autoFocus {...form.field('code')} />
        </>
      ) : failure === undefined ? (
        <p role="status" className="late text-text-2">
          {words.loading}
        </p>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        {given ? (
          <Button look="primary" type="submit" isDisabled={form.isBusy}>
            {words.twoFactor.turnOn}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Keys are typed in groups of four. */
const inGroups = (key: string) => key.replaceAll(/(.{4})(?=.)/g, '$1 ');
