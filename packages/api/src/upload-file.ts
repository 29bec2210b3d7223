import { ApiError, type Problem } from './problem.ts';
import { routes } from './routes.ts';

export interface UploadOptions {
  /** In place of the file of that name; without it, such a file is an error. */
  readonly replaces?: boolean;
  /** How much has arrived, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

const pieceBytes = 4 * 2 ** 20;
const retryMs = 1000;
const mostRetries = 30;

/**
 * Puts a file among the workspace's data, in pieces. What had arrived before goes on from there; while the connection is gone it waits.
 * @throws ApiError where the server refuses it
 */
export async function uploadFile(base: string, name: string, file: Blob, options: UploadOptions = {}, send: typeof fetch = (...args) => fetch(...args)): Promise<void> {
  const path = (route: string) => `${base}${route.replace(':name', encodeURIComponent(name))}`;
  const { signal, onProgress, replaces = false } = options;
  let retries = 0;
  for (;;) {
    try {
      const begun = await answer(await send(`${path(routes.getUpload.path)}?size=${file.size}`, { credentials: 'same-origin', ...(signal && { signal }) }));
      for (let offset = begun.received; ; ) {
        onProgress?.(offset / file.size);
        const piece = file.slice(offset, offset + pieceBytes);
        const state = await answer(await send(`${path(routes.putUpload.path)}?size=${file.size}&offset=${offset}${replaces ? '&replaces=true' : ''}`, { method: 'PUT', credentials: 'same-origin', headers: { 'x-belvedere': '1', 'content-type': 'application/octet-stream' }, body: piece, ...(signal && { signal }) }));
        retries = 0;
        if (state.isWhole) {
          onProgress?.(1);
          return;
        }
        offset = state.received;
      }
    } catch (error) {
      // What the server says counts; a connection that is gone may come back.
      if (error instanceof ApiError || signal?.aborted || ++retries > mostRetries) throw error;
      await new Promise(resolve => setTimeout(resolve, retryMs));
    }
  }
}

async function answer(response: Response): Promise<{ received: number; isWhole: boolean }> {
  if (response.ok) return (await response.json()) as { received: number; isWhole: boolean };
  throw new ApiError((await response.json().catch(() => ({ type: 'internal', title: response.statusText, status: response.status }))) as Problem);
}
