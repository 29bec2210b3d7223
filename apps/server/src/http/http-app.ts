import { Server as HttpsServer } from 'node:https';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Guard } from '../auth/authenticate.ts';
import { signInPage } from '../auth/sign-in/sign-in-page.ts';
import { limits } from '../limits.ts';
import { closeLingering } from './lingering-close.ts';
import { refuseMalformed, refuseUnrouted } from './malformed-requests.ts';
import { problemFrom, ProblemError } from './problems.ts';
import { readJson } from './read-json.ts';
import type { ServerCertificate } from './server-certificate.ts';

const connectionLimits = { headersTimeout: 10_000, maxHeaderSize: 16_384 };

/**
 * Creates the HTTP server, without routes: its limits, how it reads bodies, and how it answers errors.
 * @param certificate the server's own; absent behind a proxy that has one
 */
export function createHttpApp(
  guard: Guard,
  {
    trustedProxies,
    publicUrl,
  }: {
    readonly trustedProxies?: readonly string[] | undefined;
    readonly publicUrl?: string | undefined;
  },
  certificate: ServerCertificate | undefined,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: true,
    // The proxy before a public address names the client's own address.
    trustProxy: trustedProxies ? [...trustedProxies] : publicUrl !== undefined && !certificate && 'loopback',
    ...(certificate
      ? { https: { ...certificate.options, ...connectionLimits, handshakeTimeout: 10_000 } }
      : { http: connectionLimits }),
    // The ID of a dashboard is its path, which may be as long as a file's. The header's limit comes first.
    routerOptions: { maxParamLength: connectionLimits.maxHeaderSize },
    genReqId: () => crypto.randomUUID(),
    clientErrorHandler: refuseMalformed,
    frameworkErrors: refuseUnrouted,
  });
  if (certificate && app.server instanceof HttpsServer) certificate.serve(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    ['application/json', 'application/json-patch+json'],
    { parseAs: 'string' },
    async (_: unknown, body: string) => (body === '' ? undefined : readJson(body)),
  );
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: limits.pieceBytes },
    (_, body, done) => done(null, body),
  );
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  );
  app.addHook('onSend', closeLingering);
  app.setErrorHandler((error, request, reply) => {
    // The client has disconnected, which is no error.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' || request.raw.aborted)
      return reply;
    const problem = hasZodFastifySchemaValidationErrors(error)
      ? problemFrom(invalidRequest(error.validation), request.id)
      : problemFrom(asProblem(error, request.headers['content-type']), request.id);
    guard.noteRefusal?.(request, problem.type);
    if (problem.type === 'internal')
      console.error(new Date().toISOString(), request.id, request.method, request.routeOptions.url, error);
    if (problem.status === 503 || problem.status === 429)
      reply.header(
        'retry-after',
        String(error instanceof ProblemError && error.retryAfterSeconds ? error.retryAfterSeconds : 5),
      );
    if (problem.version !== undefined) reply.header('etag', `"${problem.version}"`);
    // Browsers get a page, API clients get JSON.
    if (problem.status === 401 && request.headers.accept?.includes('text/html')) {
      if (guard.isTeam) return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`);
      const reason = request.routeOptions.url === '/open/:token' ? 'spent address' : 'no session';
      return reply
        .status(401)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(signInPage(reason, request.headers['accept-language']));
    }
    return reply
      .status(problem.status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problem);
  });
  return app;
}

function invalidRequest(issues: readonly { instancePath: string; message?: string }[]): ProblemError {
  const errors = issues.map(({ instancePath, message }) => ({
    path: instancePath.slice(1).replaceAll('/', '.'),
    message: message ?? 'is not valid',
  }));
  return new ProblemError(
    'request-invalid',
    errors
      .map(({ path: at, message }) => `${at || 'The request'}: ${message}`)
      .slice(0, 5)
      .join('; '),
    { errors },
  );
}

/** Translates Fastify's own errors (a body too large, broken JSON) into problems. */
function asProblem(error: unknown, type: string | undefined): unknown {
  const { code, statusCode: status } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const isPiece = type === 'application/octet-stream';
    if (isPiece)
      return new ProblemError(
        'upload-refused',
        `A piece of an upload is limited to ${limits.pieceBytes / 2 ** 20} MiB. Send the file in smaller pieces.`,
        { cause: error },
      );
    return new ProblemError(
      'request-too-large',
      `The request is too large; the maximum is ${limits.bodyBytes / 2 ** 20} MiB.`,
      { cause: error },
    );
  }
  return status !== undefined && status >= 400 && status < 500 && !(error instanceof ProblemError)
    ? new ProblemError('request-invalid', (error as Error).message, { cause: error })
    : error;
}
