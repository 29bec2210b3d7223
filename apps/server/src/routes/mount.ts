import { contract, encodeFrame, type Contract, type Endpoint, type Frame } from '@belvedere/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { z } from 'zod';

type Part<E, Key extends string> = Key extends keyof E ? (E[Key] extends z.ZodType ? z.output<E[Key]> : undefined) : undefined;
export interface Call<E> {
  readonly params: Part<E, 'params'>;
  readonly query: Part<E, 'query'>;
  readonly body: Part<E, 'body'>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborts when the asker has gone. */
  readonly signal: AbortSignal;
}
type Result<E> = E extends { answer: infer A } ? (A extends z.ZodType ? z.input<A> | FastifyReply : A extends 'application/vnd.belvedere.frames' ? AsyncIterable<Frame> : string | FastifyReply) : never;
export type Handlers = { readonly [Name in keyof Contract]: (call: Call<Contract[Name]>) => Promise<Result<Contract[Name]>> | Result<Contract[Name]> };

/** Gives every endpoint of the contract its route: checked input, checked output, frames as a stream. */
export function mount(app: FastifyInstance, handlers: Handlers): void {
  for (const [name, definition] of Object.entries(contract) as [keyof Contract, Endpoint][]) {
    const handle = handlers[name] as (call: Call<unknown>) => Promise<unknown>;
    app.route({
      method: definition.method,
      url: definition.path,
      config: { endpoint: name },
      schema: {
        operationId: name,
        summary: definition.summary,
        ...(definition.params && { params: definition.params }),
        ...(definition.query && { querystring: definition.query }),
        ...(definition.body && { body: definition.body }),
        ...(typeof definition.answer === 'string' ? { produces: [definition.answer] } : { response: { 200: definition.answer } }),
      },
      handler: async (request, reply) => {
        const gone = new AbortController();
        reply.raw.on('close', () => {
          if (!reply.raw.writableFinished) gone.abort();
        });
        reply.header('cache-control', 'no-store');
        const call = { params: request.params, query: request.query, body: request.body, request, reply, signal: gone.signal } as Call<unknown>;
        const result = await handle(call);
        if (definition.answer !== 'application/vnd.belvedere.frames') return result;
        reply.header('content-type', definition.answer);
        return reply.send(Readable.from(framesAsBytes(result as AsyncIterable<Frame>), { objectMode: false }));
      },
    });
  }
}

async function* framesAsBytes(frames: AsyncIterable<Frame>): AsyncGenerator<Uint8Array> {
  for await (const frame of frames) yield encodeFrame(frame);
}
