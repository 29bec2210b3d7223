import type { GeoJson } from '@belvedere/chart';
import { IrregularFileError, openRegularFile } from '@belvedere/engine';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../http/problems.ts';

const maxBytes = { images: 5 * 2 ** 20, maps: 20 * 2 ** 20 } as const;
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  json: 'application/json',
  geojson: 'application/json',
};

/**
 * Reads an image or map stored beside the dashboards.
 * @param name the file's own name: no folders, no links, not hidden
 * @throws ProblemError if there is no such file, or it is too large
 */
export async function readWorkspaceAsset(
  root: string,
  folder: 'images' | 'maps',
  name: string,
): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  const type = types[path.extname(name).slice(1).toLowerCase()];
  if (!type || name !== path.basename(name) || name.startsWith('.')) throw notFound(folder, name);
  let handle;
  try {
    const full = path.join(await realpath(path.join(root, folder)), name);
    if (path.dirname(full) !== path.join(await realpath(root), folder)) throw notFound(folder, name);
    handle = await openRegularFile(full);
    const stats = await handle.stat();
    if (stats.size > maxBytes[folder])
      throw new ProblemError(
        'query-too-large',
        `\`${folder}/${name}\` has ${Math.ceil(stats.size / 2 ** 20)} MiB; the maximum is ${maxBytes[folder] / 2 ** 20} MiB.`,
      );
    return { bytes: await handle.readFile(), type };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    if (error instanceof IrregularFileError) {
      throw new ProblemError('not-found', `\`${folder}/${name}\` cannot be shown. ${error.message}`, {
        cause: error,
      });
    }
    throw notFound(folder, name);
  } finally {
    await handle?.close();
  }
}

function notFound(folder: string, name: string): ProblemError {
  return new ProblemError('not-found', `File \`${name}\` not found in the folder \`${folder}\`.`);
}

/** Reads one of the workspace's own maps. @throws if it is missing or invalid JSON */
export async function readWorkspaceMap(root: string, file: string): Promise<GeoJson> {
  const { bytes } = await readWorkspaceAsset(root, 'maps', file);
  return JSON.parse(bytes.toString('utf8')) as GeoJson;
}
