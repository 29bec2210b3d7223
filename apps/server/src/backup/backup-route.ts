import type { FastifyInstance } from 'fastify';
import { PassThrough } from 'node:stream';
import { writeBackup, type BackupOptions } from './write-backup.ts';

/** Mounts the address from which `belvedere backup` gets the backup of a workspace that is being served. */
export function openBackup(app: FastifyInstance, options: Omit<BackupOptions, 'hasData'>): void {
  app.post<{ Querystring: { data?: string } }>('/backup', async (request, reply) => {
    const out = new PassThrough();
    writeBackup({ ...options, hasData: request.query.data !== '0' }, out).catch((error: Error) =>
      out.destroy(error),
    );
    return reply.type('application/gzip').header('cache-control', 'no-store').send(out);
  });
}
