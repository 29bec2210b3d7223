import { contract, requestKind, type Contract, type Endpoint, type Frame } from '@belvedere/api';
import { refuseCancelled } from '@belvedere/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { callerOf, type Caller } from '../../access/caller.ts';
import type { RequestBegin } from '../../auth/authenticate.ts';
import { grantedWorkspace } from '../../access/granted-workspace.ts';
import { limits } from '../../limits.ts';
import { readIfMatch } from './if-match.ts';
import { redactError } from '../../access/row-policies.ts';
import { ProblemError } from '../../http/problems.ts';
import type { QueryQueue } from '../../queries/queue/query-queue.ts';
import type { StreamCache, CompleteResult } from '../../queries/cache/stream-cache.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type Part<E, Key extends string> = Key extends keyof E
  ? E[Key] extends z.ZodType
    ? z.output<E[Key]>
    : undefined
  : undefined;
export interface Call<E = unknown> {
  readonly params: Part<E, 'params'>;
  readonly query: Part<E, 'query'>;
  readonly body: Part<E, 'body'>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  /** The version that the header `If-Match` names, of an endpoint that replaces something. */
  readonly ifMatch: string | undefined;
  /** Returns the workspace as it is now, with only what the caller may see. */
  readonly granted: () => Workspace;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Also ends an export once the caller, as they are then, is refused by this function. */
  readonly endUnless: (require: (now: Caller) => void) => void;
}
/** Frames that all requests with the same key may share. */
interface CachedFrames {
  /**
   * Names everything that the frames depend on: the query, the workspace's revision, and the caller's scope.
   */
  readonly key: string;
  readonly frames: (signal: AbortSignal) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
}

type Result<E> = E extends { response: infer A }
  ? A extends z.ZodType
    ? z.input<A> | FastifyReply
    : A extends 'application/vnd.belvedere.frames'
      ? CachedFrames
      : string | FastifyReply
  : never;
export type Handlers = {
  readonly [Name in keyof Contract]: (
    call: Call<Contract[Name]>,
  ) => Promise<Result<Contract[Name]>> | Result<Contract[Name]>;
};

/**
 * Responses that browsers may keep and reuse once the server has confirmed that they are unchanged: documents
 * and pictures, which pages request often. All others are not stored, and none of guests.
 */
const kept: ReadonlySet<keyof Contract> = new Set([
  'getDashboard',
  'getImage',
  'getMap',
  'getThumbnail',
  'listDashboards',
]);

/** How often running exports and streams are checked, beside changes of access. */
const recheckMs = 4000;

/** Endpoints that connect to any host they are given. One rate limit covers them all. */
const connecting: ReadonlySet<keyof Contract> = new Set(['testSource', 'saveSource', 'testChannel']);

interface RunningRequests {
  /** In which users wait for their streams of tiles, so that none of them has all. */
  readonly streamQueue: QueryQueue | undefined;
  /** Calls a function when what callers may see has changed. @returns a function that ends it */
  readonly onAccessChange: (tell: () => void) => () => void;
  readonly isStillAllowed: (
    request: FastifyRequest,
    name: keyof Contract,
    begin: RequestBegin,
    require: (now: Caller) => void,
  ) => Promise<boolean>;
}

/**
 * Mounts a route for every endpoint of the contract, with validated input and output, and frames as a stream.
 * Exports and streams that have begun end once their caller may no longer have them.
 */
export function mountContract(
  app: FastifyInstance,
  streams: StreamCache,
  workspace: () => Workspace,
  handlers: Handlers,
  { streamQueue, onAccessChange, isStillAllowed }: RunningRequests,
): void {
  const connections = app.createRateLimit({ max: limits.connectionsPerMinute, timeWindow: 60_000 });
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
        ...(typeof definition.response === 'string'
          ? { produces: [definition.response] }
          : { response: { 200: definition.response } }),
      },
      handler: async (request, reply) => {
        if (connecting.has(name)) {
          const bound = await connections(request);
          if (!bound.isAllowed && bound.isExceeded)
            throw new ProblemError('rate-limited', 'Too many connection attempts. Wait a minute.', {
              retryAfterSeconds: bound.ttlInSeconds,
            });
        }
        const gone = new AbortController();
        reply.raw.on('close', () => {
          if (!reply.raw.writableFinished) gone.abort();
        });
        // The client left while its request was read: no event says so once more.
        if (reply.raw.destroyed) gone.abort();
        const caller = callerOf(request);
        let require: (now: Caller) => void = () => {};
        if (requestKind(name) === 'export' || definition.response === 'application/vnd.belvedere.frames') {
          refuseCancelled(gone.signal);
          const begin = { caller, workspace: workspace() };
          const check = () =>
            void isStillAllowed(request, name, begin, require)
              // A state database that is away ends nothing.
              .catch(() => true)
              .then(isAllowed => isAllowed || reply.raw.destroy());
          const stop = onAccessChange(check);
          // Links, tokens and sessions also expire.
          const timer = setInterval(check, recheckMs);
          reply.raw.on('close', () => {
            clearInterval(timer);
            stop();
          });
        }
        // What guests saw is gone once their link has ended.
        const mayKeep = kept.has(name) && !caller.guest;
        reply.header('cache-control', mayKeep ? 'private, no-cache' : 'no-store');
        const call = {
          params: request.params,
          query: request.query,
          body: request.body,
          request,
          reply,
          caller,
          ifMatch: readIfMatch(request.headers['if-match'], definition),
          granted: () => grantedWorkspace(workspace(), caller),
          signal: gone.signal,
          endUnless: one => (require = one),
        } as Call<unknown>;
        const result = await Promise.resolve(call)
          .then(handle)
          .catch((error: unknown) => {
            throw redactError(error, call.caller);
          });
        if (definition.response !== 'application/vnd.belvedere.frames') return result;
        reply.header('content-type', definition.response);
        const { key, frames } = result as CachedFrames;
        const whole = streams.whole(key);
        if (whole) return sendWhole(reply, whole, request.headers['accept-encoding'] ?? '');
        if (streamQueue) await turnOf(streamQueue, caller, reply, gone.signal);
        return reply.send(Readable.from(streams.read(key, frames, gone.signal), { objectMode: false }));
      },
    });
  }
}

/**
 * Waits for the caller's turn, which lasts until the response has ended. Each opening of a public link has its
 * own line: a whole class may open one at once.
 */
async function turnOf(
  queue: QueryQueue,
  { userId, guest }: Caller,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const ended = new Promise<void>(resolve => reply.raw.once('close', resolve));
  queue
    .run(guest ? `${userId}:${guest.opening}` : userId, signal, () => {
      turn.resolve();
      return ended;
    })
    .catch(turn.reject);
  await turn.promise;
}

function sendWhole(
  reply: FastifyReply,
  { bytes, zstd, gzip }: CompleteResult,
  accepted: string,
): FastifyReply {
  reply.header('vary', 'accept-encoding');
  const wants = (encoding: string) => new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted);
  if (zstd && wants('zstd')) return reply.header('content-encoding', 'zstd').send(zstd);
  if (gzip && wants('gzip')) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(bytes);
}
