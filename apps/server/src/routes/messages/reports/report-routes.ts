import type { reportEndpoints } from '@belvedere/api';
import type { Handlers } from '../../contract/mount-contract.ts';
import { reportDrawingRoutes } from './draw-reports.ts';
import { reportReadingRoutes } from './read-reports.ts';
import type { ReportRouteServices } from './report-route-services.ts';
import { reportRunRoutes } from './run-reports.ts';
import { subscriptionRoutes } from './subscribe.ts';

/** Endpoints of reports. */
export function reportRoutes(services: ReportRouteServices): Pick<Handlers, keyof typeof reportEndpoints> {
  return {
    ...reportReadingRoutes(services),
    ...reportDrawingRoutes(services),
    ...reportRunRoutes(services),
    ...subscriptionRoutes(services),
  };
}
