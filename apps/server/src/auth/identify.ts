import type { FastifyRequest } from 'fastify';
import { owner, type Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { hasToken } from './tokens/access-tokens.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Embedding } from './guests/embedding.ts';
import { isFromGuest } from './guests/guest-callers.ts';
import type { PublicLinks } from './guests/public-links.ts';
import { sessionName, type SessionStore } from './sessions/session-store.ts';

interface Parts {
  /** Absent in local mode. */
  readonly accounts: Accounts | undefined;
  /** Absent in local mode. */
  readonly links: PublicLinks | undefined;
  /** Absent in local mode. */
  readonly embedding: Embedding | undefined;
  readonly directory: Directory;
  /** The sessions of local mode. */
  readonly sessions: SessionStore;
  readonly cookieName: () => string;
  readonly workspace: () => Workspace;
}

/**
 * Returns a function that finds who sent a request: by a guest's token, by an access token, else by the cookie
 * of a session. A request with an invalid token has no caller, whatever the cookie says. For a running request, `earlier`
 * is the caller when it began.
 */
export function identifyBy({
  accounts,
  links,
  embedding,
  directory,
  sessions,
  cookieName,
  workspace,
}: Parts) {
  return async (
    { headers, cookies }: FastifyRequest,
    earlier?: Pick<Caller, 'session'>,
  ): Promise<Caller | undefined> => {
    if (!accounts) {
      const cookie = cookies[cookieName()];
      return sessions.isValid(cookie) ? { ...owner, session: sessionName(cookie!) } : undefined;
    }
    if (isFromGuest(headers.authorization))
      return links?.find(headers.authorization) ?? embedding?.find(headers.authorization);
    if (hasToken(headers.authorization)) {
      const token = accounts.tokens.find(headers.authorization);
      if (token?.client !== undefined && accounts.settings.keepsAssistantsFromConnecting) return undefined;
      return token && directory.callerOf(token.userId, workspace(), token);
    }
    const found = await accounts.userOf(headers.cookie, earlier?.session);
    const caller = found && directory.callerOf(found.userId, workspace());
    return caller && { ...caller, session: found.sessionId };
  };
}
