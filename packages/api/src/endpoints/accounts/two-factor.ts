import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { passkeyTransports } from '../../constants/passkey-transports.ts';
import { routes } from '../../routes.ts';

const Password = z.string().min(1).max(256);
/** A code of an authenticator app, or a backup code. */
const Code = z.string().trim().min(1).max(40);
const PasskeyName = z.string().trim().min(1).max(60);
const binary = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]*$/);

/** The response of `navigator.credentials.create`; binary values are base64url. */
export const NewPasskeyResponse = z.strictObject({
  id: binary(1400).min(1),
  clientDataJSON: binary(4000),
  attestationObject: binary(20_000),
  transports: z.array(z.enum(passkeyTransports)).max(10),
});
export type NewPasskeyResponse = z.infer<typeof NewPasskeyResponse>;

/** The response of `navigator.credentials.get`; binary values are base64url. */
export const PasskeyResponse = z.strictObject({
  id: binary(1400).min(1),
  clientDataJSON: binary(4000),
  authenticatorData: binary(4000),
  signature: binary(4000),
  userHandle: binary(200).optional(),
});
export type PasskeyResponse = z.infer<typeof PasskeyResponse>;

export const Passkey = z
  .object({ id: z.string(), name: z.string(), createdAt: z.string(), usedAt: z.string().optional() })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

/** What must follow a right password before there is a session. */
export const SignInAnswer = z.object({ next: z.enum(['code', 'passkey', 'set-up']).optional() });
export type SignInAnswer = z.infer<typeof SignInAnswer>;

/** Options of `navigator.credentials`, as JSON of Web Authentication. */
const BrowserOptions = z.object({ options: z.record(z.string(), z.unknown()) });
const NewAuthenticator = z.object({
  /** In base32, to type. */
  key: z.string(),
  /** An `otpauth:` address, for a QR code. */
  address: z.string(),
});
const BackupCodes = z.object({ /** Shown only now. */ backupCodes: z.array(z.string()) });
const passkeyParams = z.object({ passkey: z.string().max(100) });

/** Endpoints for authenticator apps, backup codes and passkeys. */
export const twoFactorEndpoints = {
  enterCode: endpoint({
    ...routes.enterCode,
    access: { on: 'anyone' },
    summary: 'Enter the second step of signing in: a code of an authenticator app, or a back-up code',
    body: z.strictObject({ code: Code }),
    response: SignInAnswer,
  }),
  startRequiredTwoFactor: endpoint({
    ...routes.startRequiredTwoFactor,
    access: { on: 'anyone' },
    summary: 'Start to set up two-factor sign-in after the password, where the workspace requires it',
    response: NewAuthenticator,
  }),
  enableRequiredTwoFactor: endpoint({
    ...routes.enableRequiredTwoFactor,
    access: { on: 'anyone' },
    summary: 'Turn on two-factor sign-in after the password with a first code, and sign in',
    body: z.strictObject({ code: Code }),
    response: BackupCodes,
  }),
  getPasskeyOptions: endpoint({
    ...routes.getPasskeyOptions,
    access: { on: 'anyone' },
    summary: 'Get a challenge with which a browser signs in by a passkey, valid for five minutes',
    response: BrowserOptions,
  }),
  signInWithPasskey: endpoint({
    ...routes.signInWithPasskey,
    access: { on: 'anyone' },
    summary: 'Sign in with a passkey',
    body: z.strictObject({
      passkey: PasskeyResponse,
      /** The only account that may sign in. */
      email: z.string().trim().max(254).optional(),
    }),
    response: SignInAnswer,
  }),
  getTwoFactor: endpoint({
    ...routes.getTwoFactor,
    access: { on: 'self' },
    summary: 'Get one’s own second factors',
    response: z.object({
      /** Whether signing in needs a code of an authenticator app. */
      isOn: z.boolean(),
      backupCodes: z.number(),
      /** Whether the workspace requires a second factor. */
      isRequired: z.boolean(),
      passkeys: z.array(Passkey),
      /** Whether passkeys work at the address that the browser has open. */
      canUsePasskeys: z.boolean(),
    }),
  }),
  startTwoFactor: endpoint({
    ...routes.startTwoFactor,
    access: { on: 'self' },
    summary: 'Start to set up an authenticator app: returns the new key',
    response: NewAuthenticator,
  }),
  enableTwoFactor: endpoint({
    ...routes.enableTwoFactor,
    access: { on: 'self' },
    summary: 'Turn on two-factor sign-in with a first code; ends all other sessions',
    body: z.strictObject({ code: Code }),
    response: BackupCodes,
  }),
  disableTwoFactor: endpoint({
    ...routes.disableTwoFactor,
    access: { on: 'self' },
    summary: 'Turn off two-factor sign-in',
    body: z.strictObject({ password: Password, code: Code }),
    response: z.object({}),
  }),
  renewBackupCodes: endpoint({
    ...routes.renewBackupCodes,
    access: { on: 'self' },
    summary: 'Replace one’s own backup codes',
    body: z.strictObject({ password: Password, code: Code }),
    response: BackupCodes,
  }),
  startPasskey: endpoint({
    ...routes.startPasskey,
    access: { on: 'self' },
    summary: 'Get a challenge with which a browser creates a passkey, valid for five minutes',
    response: BrowserOptions,
  }),
  addPasskey: endpoint({
    ...routes.addPasskey,
    access: { on: 'self' },
    summary: 'Add a passkey that the browser has created',
    body: z.strictObject({ name: PasskeyName, passkey: NewPasskeyResponse }),
    response: z.object({}),
  }),
  renamePasskey: endpoint({
    ...routes.renamePasskey,
    access: { on: 'self' },
    summary: 'Rename one of one’s own passkeys',
    params: passkeyParams,
    body: z.strictObject({ name: PasskeyName }),
    response: z.object({}),
  }),
  removePasskey: endpoint({
    ...routes.removePasskey,
    access: { on: 'self' },
    summary: 'Remove one of one’s own passkeys',
    params: passkeyParams,
    response: z.object({}),
  }),
  getConfirmOptions: endpoint({
    ...routes.getConfirmOptions,
    access: { on: 'self' },
    summary: 'Get a challenge with which a passkey confirms changes, valid for five minutes',
    response: BrowserOptions,
  }),
  confirmWithPasskey: endpoint({
    ...routes.confirmWithPasskey,
    access: { on: 'self' },
    summary: 'Confirm changes for ten minutes with a passkey, in place of the password',
    body: z.strictObject({ passkey: PasskeyResponse }),
    response: z.object({}),
  }),
  resetTwoFactor: endpoint({
    ...routes.resetTwoFactor,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Remove the second factors of a user who lost them; ends all of the user’s sessions',
    params: z.object({ user: z.string().max(100) }),
    response: z.object({}),
  }),
  requireTwoFactor: endpoint({
    ...routes.requireTwoFactor,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Set whether all users need a second factor; ends the sessions of those who have none',
    body: z.strictObject({ isRequired: z.boolean() }),
    response: z.object({}),
  }),
} as const;
