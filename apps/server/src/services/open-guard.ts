import { groupViewedAs } from '@belvedere/api';
import { testUser } from '../access/caller.ts';
import type { Guard } from '../auth/authenticate.ts';
import { identifyBy } from '../auth/identify.ts';
import { isOpeningProof } from '../auth/sign-in/opening-proof.ts';
import { noteRefusals } from '../auth/limits/note-refusals.ts';
import { RateLimits, ratesOf } from '../auth/limits/rate-limits.ts';
import { ToolCalls } from '../auth/tokens/tool-calls.ts';
import type { Services } from './create-services.ts';
import type { Presence } from '../events/presence.ts';
import type { Callers } from './open-callers.ts';
import type { ServerAddress } from '../http/server-address.ts';

/** Builds the checks of each request: its host, who calls, and how often. */
export function openGuard(
  callers: Callers,
  { store, limits }: Pick<Services, 'store' | 'limits'>,
  address: ServerAddress,
  presence: Presence,
): Guard {
  const { accounts, links, embedding, directory, sessions, clock } = callers;
  const identify = identifyBy({
    accounts,
    links,
    embedding,
    directory,
    sessions,
    cookieName: () => address.cookieName,
    workspace: () => store.current,
  });
  return {
    sessions,
    metricsToken: callers.metrics.token,
    isOpening: (authorization, path) =>
      isOpeningProof(
        authorization,
        callers.openingSecret,
        { origin: new URL(address.origin).origin, path },
        { startedMs: address.startedMs, nowMs: Date.now() },
      ),
    hosts: () => address.hosts,
    workspace: () => store.current,
    identify,
    isOthersWindow: (window, caller) => presence.isOthers(window, caller.userId),
    isTeam: accounts !== undefined,
    toolCalls: new ToolCalls(),
    rateLimits: accounts && new RateLimits(ratesOf(limits)),
    noteRefusal:
      accounts && noteRefusals({ audit: accounts.audit, identify, elapsed: () => clock.elapsed() }),
    viewedAs: name => {
      const rows = store.current.people.get(name);
      if (rows) return testUser(name, rows);
      const group = accounts && groupViewedAs(name);
      const user = accounts?.people.findByEmail(name);
      const caller =
        group === undefined
          ? user && directory.callerOf(user.id, store.current)
          : directory.memberOf(group, store.current);
      return caller && { ...caller, viewingAs: name };
    },
    get cookieName() {
      return address.cookieName;
    },
  };
}
