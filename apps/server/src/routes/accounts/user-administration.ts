import type { Level, ObjectKind, UserAccount } from '@belvedere/api';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { PromisedGrant } from '../../state/accounts/invitations.ts';
import type { User } from '../../state/accounts/users.ts';
import { largestInteger, readPage } from '../contract/cursors.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { accountsOf, visitOf } from './sign-in-replies.ts';
import type { SignInServices } from './sign-in.ts';

/** Returns what an invitation shares, as grants refer to it. */
export type PromiseGrant = (
  share: { readonly kind: ObjectKind; readonly object: string; readonly level: Level },
  call: { readonly caller: Caller },
) => Promise<PromisedGrant>;

/** Endpoints for users, invitations, groups and the audit log. */
export function userAdministrationRoutes(
  accounts: Accounts | undefined,
  signIn: SignInServices | undefined,
  promise: PromiseGrant | undefined,
): Pick<
  Handlers,
  | 'listUsers'
  | 'updateUser'
  | 'endUserSessions'
  | 'createPasswordReset'
  | 'inviteUser'
  | 'revokeInvitation'
  | 'listGroups'
  | 'saveGroup'
  | 'removeGroup'
  | 'listAudit'
> {
  const of = () => accountsOf(accounts);
  const actor = ({ request, caller }: { request: FastifyRequest; caller: { userId: string } }) =>
    of().actor(caller.userId, visitOf(request));
  /** Changes to users and groups need a password that was given recently. */
  const confirmed = (call: Parameters<typeof actor>[0] & { caller: Caller }) => {
    of().requireConfirmation(call.caller);
    return actor(call);
  };
  const languageForOthers = ({ request }: { request: FastifyRequest }) =>
    signIn!.mail.languageForOthers(request.headers['accept-language']);
  return {
    listUsers: async () => ({
      users: (await of().users.list()).map(asAnswer),
      invitations: await of().administration.openInvitations(),
      requiresTwoFactor: of().settings.requiresTwoFactor,
      viewersMayComment: !of().settings.keepsViewersFromComments,
      assistantsMayConnect: !of().settings.keepsAssistantsFromConnecting,
    }),

    updateUser: async call =>
      asAnswer(await of().administration.updateUser(call.params.user, call.body, confirmed(call))),

    endUserSessions: async call => {
      await of().administration.endSessionsOf(call.params.user, confirmed(call));
      return {};
    },

    createPasswordReset: async call => {
      const token = await of().administration.createPasswordReset(call.params.user, confirmed(call));
      const { email } = of().people.find(call.params.user)!;
      return signIn
        ? signIn.mail.passOnReset(email, token, languageForOthers(call))
        : { link: `/reset/${token}` };
    },

    inviteUser: async call => {
      const { shares, ...invited } = call.body;
      const actor = confirmed(call);
      const { token, invitation } = await of().administration.invite(
        invited,
        actor,
        promise && (await Promise.all(shares.map(share => promise(share, call)))),
      );
      const delivery = signIn
        ? await signIn.mail.invite(invitation.email, token, call.caller.name, languageForOthers(call))
        : { link: `/invite/${token}` };
      return { ...delivery, invitation };
    },

    revokeInvitation: async call => {
      await of().administration.revokeInvitation(call.params.invitation, confirmed(call));
      return {};
    },

    listGroups: async () => ({ groups: await of().groups.list() }),

    saveGroup: async call =>
      of().administration.saveGroup(
        call.params.group,
        { ...call.body, version: call.ifMatch },
        confirmed(call),
      ),

    removeGroup: async call => {
      await of().administration.removeGroup(call.params.group, confirmed(call));
      return {};
    },

    listAudit: async ({ query }) => {
      const { entries, ...next } = await readPage(
        'audit',
        query,
        [largestInteger],
        (after, limit) => {
          const from = query.from && new Date(query.from).toISOString();
          const labels = query.labels === undefined ? undefined : labelsIn(query.labels);
          return of().audit.list({ ...query, labels, from, before: after?.[0], limit });
        },
        ({ id }): [number] => [id],
      );
      return { entries: [...entries], ...next };
    },
  };
}

/** Reads the parameter `labels` of the audit log. @throws ProblemError `request-invalid` */
function labelsIn(text: string): ReadonlyMap<string, readonly string[]> {
  try {
    return new Map(
      text.split(';').map(part => {
        const [word = '', codes = ''] = part.split('=');
        return [decodeURIComponent(word), codes.split(',').filter(Boolean).map(decodeURIComponent)];
      }),
    );
  } catch (error) {
    throw new ProblemError('request-invalid', 'The labels of the search are not percent-encoded.', {
      cause: error,
    });
  }
}

function asAnswer({ disabledAt: _, hasProvider: __, ...account }: User): UserAccount {
  return account;
}
