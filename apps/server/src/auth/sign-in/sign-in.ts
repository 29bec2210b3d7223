import type { Role } from '@belvedere/api';
import type { Origin } from '../sessions/team-sessions.ts';

/** What a user does after the right password: enter a code, use a passkey, or set up a second factor. */
export type NextStep = 'code' | 'passkey' | 'set-up';

/** A browser's request, as far as signing in needs it. */
export interface Visit extends Origin {
  readonly cookies: string | undefined;
}

/** The user, or the command line, that makes a change. */
export interface Actor {
  readonly id?: string;
  /** The name and e-mail address, for the audit log. */
  readonly label: string;
  readonly role: Role;
  readonly address?: string;
}

export interface SignedIn {
  readonly userId: string;
  /** Values of `set-cookie` headers. */
  readonly cookies: readonly string[];
  /** There is no session yet: this must follow. */
  readonly next?: NextStep;
}

export interface SessionOfUser {
  readonly userId: string;
  readonly sessionId: string;
}
