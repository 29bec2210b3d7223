import type { FastifyRequest } from 'fastify';
import type { Visit } from './accounts.ts';

/** Returns what signing in needs of a request. */
export function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { address: ip, userAgent: headers['user-agent'] ?? '', cookies: headers.cookie };
}
