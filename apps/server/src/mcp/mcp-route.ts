import { createClient } from '@belvedere/api';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { mcpServer } from './mcp-server.ts';
import { remoteWorkspace } from './remote-workspace.ts';

/**
 * Serves the Model Context Protocol at `/mcp` (Streamable HTTP, without sessions) to assistants with an access
 * token. Every tool calls the HTTP API with the same token, so that its permissions, limits and records hold.
 */
export function mountMcp(app: FastifyInstance, version: string): void {
  const requests = new WeakMap<Request, FastifyRequest>();
  const handler = createMcpHandler(({ requestInfo }) => {
    const send = sendWithin(app, requests.get(requestInfo!)!);
    return mcpServer(remoteWorkspace(createClient('', send)), version);
  });
  app.post('/mcp', async (request, reply) => {
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const { accept, 'mcp-protocol-version': protocol } = request.headers;
    const given = new Request(`http://${request.headers.host}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(accept !== undefined && { accept }),
        ...(typeof protocol === 'string' && { 'mcp-protocol-version': protocol }),
      },
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

/** Sends requests to the server itself, with the token and the address of the request that they are for. */
function sendWithin(app: FastifyInstance, by: FastifyRequest): typeof fetch {
  return async (input, init) => {
    const { authorization, host } = by.headers;
    const response = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: String(input),
      remoteAddress: by.ip,
      headers: {
        ...(init?.headers as Record<string, string>),
        ...(authorization !== undefined && { authorization }),
        ...(host !== undefined && { host }),
      },
      ...(typeof init?.body === 'string' && { payload: init.body }),
      ...(init?.signal && { signal: init.signal }),
    });
    return new Response(response.rawPayload as Uint8Array<ArrayBuffer>, {
      status: response.statusCode,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    });
  };
}
