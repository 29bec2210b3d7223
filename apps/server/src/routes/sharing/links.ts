import type { linkEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { notFound } from '../../access/may.ts';
import { protectedModelOf } from '../../access/protected-tables.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { PublicLinks } from '../../auth/guests/public-links.ts';
import { networkOf } from '../../auth/limits/rate-limits.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

/** Endpoints for public links. Only team mode has them. */
export function linkRoutes(
  publicLinks: PublicLinks | undefined,
  store: WorkspaceStore,
  dashboards: DashboardStore,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): Pick<Handlers, keyof typeof linkEndpoints> {
  const links = () => {
    if (publicLinks) return publicLinks;
    throw new ProblemError('not-found', 'Public links need accounts. `belvedere serve` has them.');
  };
  const saved = (id: string) => {
    const found = store.current.dashboards.get(id);
    const file = dashboards.fileOf(id);
    if (found?.origin !== 'saved' || !found.document || file === undefined)
      throw notFound({ kind: 'dashboard', id });
    return { id, file, document: found.document };
  };
  const isProtected = (id: string) => protectedModelOf(saved(id).document, store.current) !== undefined;
  /** With attributes of one's choice, one could see the rows of others. */
  const mayShare = (caller: Caller, id: string) => caller.rows === 'all' || !isProtected(id);
  const requireShareable = (caller: Caller, id: string, attributes: object | undefined) => {
    if (!mayShare(caller, id))
      throw new ProblemError(
        'not-allowed',
        'Row policies protect this dashboard. Only an admin may create public links to it.',
      );
    if (attributes === undefined && isProtected(id))
      throw new ProblemError(
        'request-invalid',
        'Row policies protect this dashboard. Say with which attributes its guests see it.',
        { errors: [{ path: 'attributes', message: 'is missing' }] },
      );
  };
  const setLife = async (
    call: Pick<Call, 'caller' | 'request'>,
    id: string,
    days: number,
    ofDashboard?: string,
  ) => {
    const { before, link } = await links().setLife(id, days, ofDashboard, ({ dashboard, view }) =>
      // As for a new link with what this one shows.
      requireShareable(call.caller, dashboard, view.attributes),
    );
    const [from, to] = [before.expiresAt, link.expiresAt].map(at => at.slice(0, 16));
    await note(
      call,
      'link.change',
      `dashboard ${before.dashboard}: ${before.name}`,
      `expiry: ${from} → ${to}`,
    );
    return link;
  };
  return {
    listLinks: ({ params, caller }) => ({
      isOn: links().isOn,
      isProtected: isProtected(params.id),
      canCreate: links().isOn && mayShare(caller, params.id),
      links: links().list(params.id),
    }),
    createLink: async call => {
      const { params, body, caller } = call;
      const dashboard = saved(params.id);
      requireShareable(caller, params.id, body.attributes);
      const created = await links().create(dashboard, body, caller.userId);
      await note(
        call,
        'link.create',
        `dashboard ${params.id}: ${body.name}`,
        `until ${created.link.expiresAt}`,
      );
      return created;
    },
    previewLink: ({ params, body, caller }) => {
      saved(params.id);
      requireShareable(caller, params.id, body.attributes);
      return { token: links().preview(params.id, body, caller.userId), downloads: body.downloads };
    },
    setLinkLife: call => setLife(call, call.params.link, call.body.days, call.params.id),
    revokeLink: async call => {
      const { dashboard, name } = await links().revoke(call.params.link, call.params.id);
      await note(call, 'link.revoke', `dashboard ${dashboard}: ${name}`);
      return {};
    },
    listAllLinks: () => ({ isOn: links().isOn, links: links().list() }),
    setAnyLinkLife: call => setLife(call, call.params.link, call.body.days),
    revokeAnyLink: async call => {
      const { dashboard, name } = await links().revoke(call.params.link);
      await note(call, 'link.revoke', `dashboard ${dashboard}: ${name}`);
      return {};
    },
    switchLinks: async call => {
      const { isOn } = call.body;
      if (isOn) requireConfirmation(call.caller);
      await links().switch(isOn);
      await note(call, 'link.switch', 'public links', isOn ? 'on' : 'off');
      return {};
    },
    openLink: ({ body, request }) => links().openLink(body.secret, body.passphrase, networkOf(request.ip)),
  };
}
