import { ApiError } from '@belvedere/api';
import { Watched } from '../watched.ts';

/** Whether the session has ended in a workspace with accounts, so that the user must sign in again. */
export const signedOut = new Watched(false);

/** The open question for the password, if any; called with whether it was confirmed. */
export const requestedPassword = new Watched<((isConfirmed: boolean) => void) | undefined>(undefined);

let asking: Promise<boolean> | undefined;

/** Asks for the password once, however many requests need it. @returns whether it was confirmed */
function confirm(): Promise<boolean> {
  asking ??= new Promise<boolean>(resolve => requestedPassword.set(resolve)).finally(() => {
    asking = undefined;
    requestedPassword.set(undefined);
  });
  return asking;
}

/** Endpoints whose 401 is about what was entered, not about the session. */
const signingIn: ReadonlySet<string> = new Set([
  'getSignIn',
  'setUp',
  'signIn',
  'signOut',
  'getInvitation',
  'acceptInvitation',
  'resetPassword',
  'requestPasswordReset',
  'confirmEmailChange',
  'beginProviderSignIn',
  'enterCode',
  'startRequiredTwoFactor',
  'enableRequiredTwoFactor',
  'getPasskeyOptions',
  'signInWithPasskey',
]);

/**
 * Wraps a client: an ended session is reported to `onUnauthorized`, and requests that need a confirmed
 * password are repeated once it is.
 */
export function withSignIn<C extends object>(client: C, onUnauthorized: () => void): C {
  type Call = (...input: unknown[]) => Promise<unknown>;
  const wrapped = Object.entries(client as Record<string, Call>).map(([name, call]) => {
    const guarded = async (...input: unknown[]): Promise<unknown> => {
      try {
        return await call(...input);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { type } = error.problem;
        if (type === 'not-signed-in' && !signingIn.has(name)) onUnauthorized();
        if (type !== 'confirmation-needed' || !(await confirm())) throw error;
        return call(...input);
      }
    };
    return [name, guarded] as const;
  });
  return Object.fromEntries(wrapped) as C;
}
