import { signInAdvice, type SignInAnswer } from '@belvedere/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { SessionOfUser, SignedIn, Visit } from '../../auth/sign-in/sign-in.ts';
import { ProblemError } from '../../http/problems.ts';

/** @throws ProblemError `not-found` in local mode */
export function accountsOf(accounts: Accounts | undefined): Accounts {
  if (accounts) return accounts;
  throw new ProblemError(
    'not-found',
    'This Belvedere has no accounts. `belvedere serve` starts one that has.',
  );
}

export function visitOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Visit {
  return { address: ip, userAgent: headers['user-agent'] ?? '', cookies: headers.cookie };
}

/** @throws ProblemError `not-signed-in` for callers without a session, such as commands */
export function sessionOf({
  userId,
  session,
}: {
  readonly userId: string;
  readonly session?: string | undefined;
}): SessionOfUser {
  if (session === undefined) throw new ProblemError('not-signed-in', signInAdvice);
  return { userId, sessionId: session };
}

/** Sets the cookies of a new session, or of a sign-in whose second step is to follow. */
export function signedIn(reply: Pick<FastifyReply, 'header'>, { cookies, next }: SignedIn): SignInAnswer {
  reply.header('set-cookie', cookies);
  return next === undefined ? {} : { next };
}
