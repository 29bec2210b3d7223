import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/** Files that dashboards show. */
export const workspaceFileEndpoints = {
  getImage: endpoint({
    ...routes.getImage,
    access: { on: 'self' },
    summary: 'Get an image from the workspace’s folder `images`',
    params: z.object({ file: z.string().max(160) }),
    response: 'application/octet-stream',
  }),
  getMap: endpoint({
    ...routes.getMap,
    access: { on: 'self' },
    summary: 'Get a GeoJSON file from the workspace’s folder `maps`',
    params: z.object({ file: z.string().max(160) }),
    response: 'application/octet-stream',
  }),
} as const;
