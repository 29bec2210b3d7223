import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * The security headers of all responses. Pages that other sites may embed replace `frame-ancestors`.
 *
 * @param scriptHashes Hashes of the scripts within the page, as in a `script-src` directive.
 */
export function securityHeaders(
  scriptHashes: readonly string[],
  publicUrl: string | undefined,
): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scriptHashes],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Never for localhost, whose other ports it would cover.
    hsts:
      publicUrl?.startsWith('https:') && new URL(publicUrl).hostname !== 'localhost'
        ? { maxAge: 31_536_000 }
        : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  };
}
