import { ApiError } from '@belvedere/api';
import { TextField } from '@belvedere/ui';
import { words } from '../messages/words.ts';

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

/** A code of an authenticator app, or a backup code. */
export function CodeField({ hint = words.twoFactor.codeOrBackup, ...props }: CodeFieldProps) {
  return (
    <TextField
      label={words.twoFactor.code}
      hint={hint}
      name="code"
      autoComplete="one-time-code"
      maxLength={40}
      {...props}
    />
  );
}

export const codeError = (code: string): string | undefined =>
  code.trim() === '' ? words.twoFactor.codeNeeded : undefined;

/** Returns the translation for a code that the server refused. */
export function refusedCode(error: unknown): string | undefined {
  return error instanceof ApiError && error.problem.errors?.some(({ path }) => path === 'code')
    ? words.twoFactor.wrongCode
    : undefined;
}
