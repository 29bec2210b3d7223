import type { z } from 'zod';
import type { Contract } from '../contract.ts';
import type { Endpoint } from '../endpoint.ts';
import { decodeFrames, type Frame } from '../frames/frames.ts';
import { ApiError, problemOf } from '../problems/problem.ts';
import { routes } from '../routes.ts';
import { streamChunks } from '../frames/stream-chunks.ts';

/** An endpoint's input of one kind; optional if all of its keys are. */
type Shape<E, Key extends string> = Key extends keyof E
  ? E[Key] extends z.ZodType
    ? Record<never, never> extends z.input<E[Key]>
      ? { readonly [K in Key]?: z.input<E[Key]> }
      : { readonly [K in Key]: z.input<E[Key]> }
    : unknown
  : unknown;
/** The hash or version of what is replaced; see `Endpoint.replaces`. */
type Precondition<E> = E extends { replaces: unknown } ? { readonly ifMatch?: string | undefined } : unknown;
type Input<E> = Shape<E, 'params'> & Shape<E, 'query'> & Shape<E, 'body'> & Precondition<E>;
type Output<E> = E extends { response: infer A }
  ? A extends z.ZodType
    ? z.output<A>
    : A extends 'application/vnd.belvedere.frames'
      ? AsyncGenerator<Frame>
      : Response
  : never;

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Completes the request even if the user leaves the page; limited to about 60 kB. */
  readonly keepalive?: boolean;
}

export type Client = {
  readonly [Name in keyof Contract]: (
    input: Input<Contract[Name]>,
    options?: CallOptions,
  ) => Promise<Output<Contract[Name]>>;
};

type Route = Pick<Endpoint, 'method' | 'path' | 'isFile'>;

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/**
 * Creates a client with one function per endpoint.
 * @param as the user as whom the owner views, if any
 * @throws ApiError with the server's problem, or with `source-unreachable` if no server responds
 */
export function createClient(
  base: string,
  send: typeof fetch = (...args) => fetch(...args),
  as?: string,
): Client {
  const calls = Object.entries<Route>(routes).map(([name, definition]) => {
    const call = async (input: AnyInput, options: CallOptions = {}) => {
      const path = definition.path.replace(/:(\w+)/g, (_, key: string) =>
        // Half a character, which addresses cannot have, is in no name either.
        encodeURIComponent(String(input.params?.[key] ?? '').toWellFormed()),
      );
      const query = new URLSearchParams(
        Object.entries({ ...input.query, as }).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, String(value)]],
        ),
      );
      const response = await send(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
        method: definition.method,
        credentials: 'same-origin',
        // HTML forms cannot send this header. Together with the Origin check, it blocks requests from other
        // sites.
        headers: {
          'x-belvedere': '1',
          ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(input.ifMatch === undefined ? {} : { 'if-match': `"${input.ifMatch}"` }),
        },
        ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
        ...(options.signal && { signal: options.signal }),
        ...(options.keepalive && { keepalive: true }),
      });
      if (!response.ok) throw new ApiError(await problemOf(response));
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('application/vnd.belvedere.frames'))
        return decodeFrames(streamChunks(response.body!));
      return type.startsWith('application/json') && !definition.isFile
        ? ((await response.json()) as unknown)
        : response;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Client;
}
