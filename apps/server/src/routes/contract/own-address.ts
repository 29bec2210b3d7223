import type { FastifyRequest } from 'fastify';

/**
 * Returns the address under which a request reached the server, without a slash at its end. The Host header is one
 * of ours: the hook before all routes has checked it.
 */
export function ownAddress({ protocol, headers }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${protocol}://${headers.host}`;
}
