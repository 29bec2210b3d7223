import { createClient } from '@belvedere/api';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { Readable } from 'node:stream';
import { callerOf } from '../access/caller.ts';
import { countMessage, type Guard } from '../auth/authenticate.ts';
import { callHeader, type ToolCalls } from '../auth/tokens/tool-calls.ts';
import { ProblemError } from '../http/problems.ts';
import { mcpServer } from './mcp-server.ts';
import { remoteWorkspace } from './remote-workspace.ts';

/**
 * Serves the Model Context Protocol at `/mcp` (Streamable HTTP, without sessions) to assistants with an access
 * token. Every tool calls the HTTP API with the same token, so that its permissions, limits and records hold.
 */
export function mountMcp(
  app: FastifyInstance,
  version: string,
  guard: Pick<Guard, 'rateLimits' | 'toolCalls'>,
  /** Returns the `www-authenticate` header of a refusal, which leads assistants to the page of consent. */
  challenge: (request: FastifyRequest) => string | undefined,
): void {
  const requests = new WeakMap<Request, FastifyRequest>();
  const { toolCalls: calls } = guard;
  // A request that a tool has sent ends with its call. Those within the process have no connection that closes.
  app.addHook('onRequest', (request, reply, done) => {
    const signal = calls.signalOf(request);
    if (signal) {
      const end = () => reply.raw.destroy();
      signal.addEventListener('abort', end);
      reply.raw.on('close', () => signal.removeEventListener('abort', end));
    }
    done();
  });
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const send = sendWithin(app, requests.get(requestInfo!)!, calls);
      return mcpServer(remoteWorkspace(createClient('', send)), version);
    },
    // The list of tools never changes, so clients need no stream for changes of it.
    { maxSubscriptions: 0 },
  );
  const onSend: onSendAsyncHookHandler = async (request, reply) => {
    const header = reply.statusCode === 401 ? challenge(request) : undefined;
    if (header !== undefined) reply.header('www-authenticate', header);
  };
  app.post('/mcp', { onSend }, async (request, reply) => {
    requireMessage(request);
    // The first one has been counted with its token.
    if (Array.isArray(request.body))
      for (const _ of request.body.slice(1)) countMessage(request, callerOf(request), guard);
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const given = new Request(`http://${request.headers.host}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...protocolHeaders(request) },
      body: JSON.stringify(request.body),
      signal: gone.signal,
    });
    requests.set(given, request);
    const response = await handler.fetch(given, { parsedBody: request.body });
    return reply
      .status(response.status)
      .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
      .send(response.body ? Readable.fromWeb(response.body as never) : '');
  });
  // No stream that a server begins, and no session to end.
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: '/mcp',
      handler: (_, reply) => reply.status(405).header('allow', 'POST').send(),
    });
  app.addHook('onClose', () => handler.close());
}

/** @throws ProblemError for another media type, which would be read as JSON at great cost, and for a viewed user */
function requireMessage({ headers, query }: FastifyRequest): void {
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new ProblemError('request-invalid', 'Send messages with `content-type: application/json`.');
  if ((query as Readonly<Record<string, unknown>>)['as'] !== undefined)
    throw new ProblemError(
      'request-invalid',
      'Assistants see what their token may see: `as` is not possible here.',
    );
}

/** The headers by which a message says its version, method and tool. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      (name === 'accept' || name.startsWith('mcp-')) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/**
 * Sends requests to the server itself, with the token and the address of the request that they are for.
 */
function sendWithin(app: FastifyInstance, by: FastifyRequest, calls: ToolCalls): typeof fetch {
  return async (input, init) => {
    const { authorization, host } = by.headers;
    init?.signal?.throwIfAborted();
    const call = calls.begin(init?.signal ?? undefined);
    const response = await app
      .inject({
        method: (init?.method ?? 'GET') as 'GET',
        url: String(input),
        remoteAddress: by.ip,
        headers: {
          ...(init?.headers as Record<string, string>),
          ...(authorization !== undefined && { authorization }),
          ...(host !== undefined && { host }),
          [callHeader]: call.name,
        },
        ...(typeof init?.body === 'string' && { payload: init.body }),
      })
      .finally(call.end);
    return new Response(response.rawPayload as Uint8Array<ArrayBuffer>, {
      status: response.statusCode,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    });
  };
}
