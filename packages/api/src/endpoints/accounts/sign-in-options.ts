import { z } from 'zod';

/** A provider of OpenID Connect, as the sign-in page shows it. */
export const ProviderName = z.object({
  id: z.string(),
  /** As in “Continue with NAME”. */
  name: z.string(),
});
export type ProviderName = z.infer<typeof ProviderName>;

/** How users sign in here. */
export const SignInOptions = z.object({
  title: z.string(),
  needsSetup: z.boolean(),
  /** False if only owners sign in with passwords. */
  hasPasswords: z.boolean(),
  /** Whether a forgotten password can be reset by mail. */
  hasMail: z.boolean(),
  providers: z.array(ProviderName),
  /** Whether passkeys work at the address that the browser has open. */
  canUsePasskeys: z.boolean(),
});
