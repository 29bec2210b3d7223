import { passkeyTransports, type NewPasskeyResponse, type PasskeyResponse } from '@belvedere/api';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { problemText } from '../../data/problem-text.ts';
import { words } from '../messages/words.ts';

type Options = Readonly<Record<string, unknown>>;

const library = () => import('@simplewebauthn/browser');

/** Whether this browser has passkeys; only on pages that came over HTTPS, or from this machine. */
export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Creates a passkey on this device, or on another that the browser offers. @param options of the server */
export async function createPasskey(options: Options): Promise<NewPasskeyResponse> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, response } = await startRegistration({ optionsJSON });
  return {
    id,
    clientDataJSON: response.clientDataJSON,
    attestationObject: response.attestationObject,
    transports: passkeyTransports.filter(one => response.transports?.includes(one)),
  };
}

/**
 * Asks the user for a passkey.
 *
 * @param options of the server
 * @param isAutofill offers passkeys in the field of the e-mail address, without a dialog; resolves once the
 * user chooses one
 */
export async function askPasskey(options: Options, isAutofill = false): Promise<PasskeyResponse> {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: isAutofill,
  });
  return {
    id,
    clientDataJSON: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle !== undefined && { userHandle: response.userHandle }),
  };
}

/** Whether the browser can offer passkeys in the field of the e-mail address. */
export async function canAutofill(): Promise<boolean> {
  return hasPasskeys() && (await library()).browserSupportsWebAuthnAutofill();
}

/** Ends a question that is open, such as that of the autofill. */
export const endQuestion = () => library().then(module => module.WebAuthnAbortService.cancelCeremony());

/** Says why no passkey was created or used. */
export function passkeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return words.twoFactor.cancelled;
  return name === 'InvalidStateError' ? words.twoFactor.exists : problemText(error);
}
