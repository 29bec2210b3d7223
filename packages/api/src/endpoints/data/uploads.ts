import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const uploadParams = z.object({ name: z.string().max(200) });
/** The size and hash of the whole file. Received bytes belong to this content only. */
const uploadedContent = {
  size: z.coerce.number().int().min(1),
  /** SHA-256, hexadecimal. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
};
const UploadState = z.object({ received: z.number(), isWhole: z.boolean() });

/** Files that arrive in pieces. */
export const uploadEndpoints = {
  getUpload: endpoint({
    ...routes.getUpload,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Get how much of an upload has arrived, to resume it',
    params: uploadParams,
    query: z.object(uploadedContent),
    response: UploadState,
  }),
  putUpload: endpoint({
    ...routes.putUpload,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Upload a piece of a data file; the last piece starts its import',
    accepts: 'application/octet-stream',
    params: uploadParams,
    query: z.object({
      ...uploadedContent,
      offset: z.coerce.number().int().min(0),
      /** Replaces a file of the same name. */
      replaces: z.stringbool().default(false),
    }),
    response: UploadState,
  }),
} as const;
