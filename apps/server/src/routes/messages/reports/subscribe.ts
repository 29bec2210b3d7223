import { isAtLeast } from '@belvedere/api';
import type { ReportFile } from '@belvedere/document';
import { notFound } from '../../../access/may.ts';
import { furtherRules } from '../../../access/rules.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { findReport, type ReportRouteServices } from './report-route-services.ts';

/** Endpoints by which users subscribe to dashboards. */
export function subscriptionRoutes(
  services: ReportRouteServices,
): Pick<Handlers, 'subscribe' | 'putSubscription'> {
  const { records, texts, isTeam, now } = services;
  return {
    subscribe: async call => {
      const { params, body, caller, granted } = call;
      if (!isTeam || caller.email === undefined)
        throw new ProblemError(
          'request-invalid',
          'Subscriptions need accounts. Create a report for a channel instead.',
        );
      if (!isAtLeast(caller.role, furtherRules.subscribe.role))
        throw new ProblemError('not-allowed', 'Viewers cannot subscribe. Ask an editor for a report.');
      const dashboard = granted().dashboards.get(params.id);
      if (!dashboard?.document) throw notFound({ kind: 'dashboard', id: params.id });
      const { title, schedule, attach, pictures, filters, parameters, locale } = body;
      const document: ReportFile = {
        version: 1,
        title,
        owner: caller.email,
        dashboard: params.id,
        ...(Object.keys(filters).length > 0 && { filters }),
        ...(Object.keys(parameters).length > 0 && { parameters }),
        schedule,
        ...(attach.length > 0 && { attach: [...new Set(attach)] }),
        ...(!pictures && { pictures }),
        ...(locale !== undefined && { locale }),
        to: [{ user: caller.email }],
      };
      const id = await texts.create(document, caller.name, `${caller.name} subscribed`);
      await services.note(call, 'report.subscribe', `report ${id}`, `dashboard ${params.id}`);
      return { id };
    },

    putSubscription: async call => {
      const { params, body, caller } = call;
      if (!isTeam) throw new ProblemError('request-invalid', 'Subscriptions need accounts.');
      const { report } = await findReport(params.id, caller, services);
      const documentId = await texts.documentId(report.id);
      if (body.isSubscribed) await records.resubscribe(documentId, caller.userId);
      else await records.unsubscribe(documentId, caller.userId, new Date(now()));
      const action = body.isSubscribed ? 'report.resubscribe' : 'report.unsubscribe';
      await services.note(call, action, `report ${report.id}`);
      return {};
    },
  };
}
