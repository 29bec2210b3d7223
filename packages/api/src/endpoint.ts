import type { z } from 'zod';

/** One call of the HTTP API: what goes in and what comes out, known to server, client and documentation alike. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The shape of the answer, or the media type of one that is no JSON. */
  readonly answer:
    | z.ZodType
    | 'application/vnd.belvedere.frames'
    | 'text/csv'
    | 'application/octet-stream'
    | 'text/event-stream'
    | 'image/svg+xml';
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
