import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ApiError, problemOf } from '../problems/problem.ts';
import { routes } from '../routes.ts';

export interface UploadOptions {
  /** Replaces a file of the same name; otherwise such a file is an error. */
  readonly replaces?: boolean;
  /** The finished share of the work, from 0 to 1: the file is read once for its hash, and once to be sent. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

const pieceBytes = 4 * 2 ** 20;
const hashedBytes = 2 ** 20;
const retryMs = 1000;
const maxRetries = 30;

/**
 * Uploads a file to the workspace's data in chunks. An upload resumes after the bytes that the server already
 * has. While the connection is lost, it retries up to 30 times, once a second. Two pages that send the same
 * file share its progress.
 * @throws ApiError when the server rejects the file
 */
export async function uploadFile(
  base: string,
  name: string,
  file: Blob,
  options: UploadOptions = {},
  send: typeof fetch = (...args) => fetch(...args),
): Promise<void> {
  const { signal, onProgress, replaces = false } = options;
  const hash = await hashOf(file, bytes => onProgress?.(bytes / file.size / 2), signal);
  const ask = async (route: string, query: Readonly<Record<string, string>>, init: RequestInit = {}) => {
    const parameters = new URLSearchParams({ size: String(file.size), sha256: hash, ...query });
    const address = `${base}${route.replace(':name', encodeURIComponent(name))}?${parameters}`;
    return answer(await send(address, { credentials: 'same-origin', ...init, ...(signal && { signal }) }));
  };
  const received = async () => (await ask(routes.getUpload.path, {})).received;
  const put = (offset: number) =>
    ask(
      routes.putUpload.path,
      { offset: String(offset), ...(replaces && { replaces: 'true' }) },
      {
        method: 'PUT',
        headers: { 'x-belvedere': '1', 'content-type': 'application/octet-stream' },
        body: file.slice(offset, offset + pieceBytes),
      },
    );

  let retries = 0;
  let offset: number | undefined;
  let began: number | undefined;
  let refused: { readonly offset: number; readonly error: ApiError } | undefined;
  for (;;) {
    try {
      offset ??= await received();
      // The server rejected this offset, and no other page has advanced the same upload since.
      if (refused?.offset === offset) throw refused.error;
      began ??= offset;
      onProgress?.((1 + offset / file.size) / 2);
      const state = await put(offset);
      [retries, refused] = [0, undefined];
      if (state.isWhole) {
        onProgress?.(1);
        return;
      }
      offset = state.received;
    } catch (error) {
      if (signal?.aborted || error === refused?.error || ++retries > maxRetries) throw error;
      const type = error instanceof ApiError ? error.problem.type : undefined;
      if (type === undefined) {
        // The connection is lost; try again.
        await new Promise(resolve => setTimeout(resolve, retryMs));
      } else if (type === 'rate-limited') {
        const seconds = (error as ApiError).problem.retryAfterSeconds ?? 5;
        await new Promise(resolve => setTimeout(resolve, seconds * 1000));
      } else if (type === 'revision-conflict' && offset !== undefined) {
        refused = { offset, error: error as ApiError };
      } else if (type === 'upload-damaged' && began !== 0) {
        // The bytes from an earlier upload may be damaged: send the whole file again, once.
        began = 0;
      } else throw error;
      offset = undefined;
    }
  }
}

/** The SHA-256 of a file, read in parts. The browser's own function needs the whole file in memory. */
async function hashOf(
  file: Blob,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = sha256.create();
  for (let offset = 0; offset < file.size; offset += hashedBytes) {
    signal?.throwIfAborted();
    onBytes(offset);
    hash.update(new Uint8Array(await file.slice(offset, offset + hashedBytes).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}

async function answer(response: Response): Promise<{ received: number; isWhole: boolean }> {
  if (response.ok) return (await response.json()) as { received: number; isWhole: boolean };
  throw new ApiError(await problemOf(response));
}
