import type { alertEndpoints } from '@belvedere/api';
import type { Handlers } from '../../contract/mount-contract.ts';
import type { AlertRouteServices } from './alert-route-services.ts';
import { alertChangeRoutes } from './change-alerts.ts';
import { alertReadingRoutes } from './read-alerts.ts';
import { tileAlertRoutes } from './tile-alerts.ts';

/** Endpoints for alerts: their states, their rehearsal, and their snoozing. */
export function alertRoutes(services: AlertRouteServices): Pick<Handlers, keyof typeof alertEndpoints> {
  return {
    ...alertReadingRoutes(services),
    ...alertChangeRoutes(services),
    ...tileAlertRoutes(services),
  };
}
