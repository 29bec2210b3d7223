import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { Job } from './jobs.ts';

const BackupTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as `03:00`');

export const Backups = z
  .object({
    /** Whether one is made every day. */
    isOn: z.boolean(),
    /** The time of day, in `zone`. */
    at: z.string(),
    /** How many are kept; older ones are deleted. */
    kept: z.number().int(),
    /** A folder of the server. */
    folder: z.string(),
    /** Whether that is the folder that is taken if none is named, on the disk of the workspace's records. */
    isStandardFolder: z.boolean(),
    /** Whether the command line sets them, so that they cannot be changed here. */
    isFixed: z.boolean(),
    /** The workspace's time zone. */
    zone: z.string(),
    /** Absent while they are off. */
    nextAt: z.string().optional(),
    /** The backup that is being made or waits, also for another try. */
    current: Job.optional(),
    /** The one that ended last. */
    last: Job.optional(),
    /** The newest first, 30 at most. */
    files: z.array(z.object({ name: z.string(), bytes: z.number(), at: z.string() })),
  })
  .meta({ id: 'Backups' });
export type Backups = z.infer<typeof Backups>;

const ChangedBackups = z.strictObject({
  isOn: z.boolean(),
  at: BackupTime,
  kept: z.number().int().min(1).max(1000),
  /** A folder of the server that exists, outside of the workspace's. Without it, `backups` of its state folder. */
  folder: z.string().trim().min(1).max(1000).optional(),
});
export type ChangedBackups = z.infer<typeof ChangedBackups>;

/** Endpoints for the backups that the server makes by itself. */
export const backupEndpoints = {
  getBackups: endpoint({
    ...routes.getBackups,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get when backups are made, where they are kept, and how the last one went',
    response: Backups,
  }),
  saveBackups: endpoint({
    ...routes.saveBackups,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Set the daily backups',
    body: ChangedBackups,
    response: z.object({}),
  }),
  startBackup: endpoint({
    ...routes.startBackup,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Make a backup now, as a job',
    response: z.object({}),
  }),
} as const;
