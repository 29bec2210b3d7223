import type { z } from 'zod';
import type { RequiredAccess } from './access/access.ts';

/** An endpoint of the HTTP API, with the input and output that server, client and documentation share. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Whether the response is a file of any type, JSON included, which clients receive as it is. */
  readonly isFile?: true;
  readonly summary: string;
  /** Who may call it. The server checks it before anything else. */
  readonly access: RequiredAccess;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The media type of a body that is not JSON, or is JSON of a kind of its own. */
  readonly accepts?: 'application/octet-stream' | 'application/x-ndjson' | 'application/json-patch+json';
  /**
   * What it replaces, if callers name the version that they have read in the header `If-Match`. Without the
   * header, a `document` is only created, never replaced; a `part` of a document or a `record` is replaced
   * whatever its version.
   */
  readonly replaces?: 'document' | 'part' | 'record';
  /** The schema of the response, or the media type of a response that is not JSON. */
  readonly response:
    | z.ZodType
    | 'application/vnd.belvedere.frames'
    | 'text/csv'
    | 'application/octet-stream'
    | 'text/event-stream'
    | 'image/svg+xml';
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
