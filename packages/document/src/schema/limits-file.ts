import { z } from 'zod';
import { durationMs } from '../duration-ms.ts';
import { PlainDuration } from './duration.ts';

const unitsBytes = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
const sizePattern = /^(\d{1,6}) (KiB|MiB|GiB|TiB)$/;

/**
 * Parses `256 MiB` or `8 GiB` to bytes. The schema of the documents admits no other text.
 * @throws RangeError for any other text
 */
export function sizeBytes(text: string): number {
  const [, count, unit] = sizePattern.exec(text) ?? [];
  if (!unit) throw new RangeError(`${text} is not a size.`);
  return Number(count) * unitsBytes[unit as keyof typeof unitsBytes];
}

const time = (max: string) =>
  PlainDuration.refine(text => durationMs(text) <= durationMs(max), `at most ${max}`);
const retention = (min: string, max: string) =>
  PlainDuration.refine(
    text => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max),
    `${min} to ${max}`,
  );
const count = (max: number) => z.number().int().min(1).max(max);
const size = (min: string, max: string) =>
  z
    .string()
    .regex(sizePattern, { error: 'a size such as `256 MiB` or `8 GiB`', abort: true })
    .refine(
      text => sizeBytes(text) >= sizeBytes(min) && sizeBytes(text) <= sizeBytes(max),
      `${min} to ${max}`,
    );

/** A workspace's limits, each with a maximum. Defaults are in the server's `limits.ts`. */
export const LimitsFile = z.strictObject({
  questionTime: time('10 minutes')
    .optional()
    .meta({ description: 'time limit of a page’s query; default 30 seconds' }),
  sqlTime: time('1 hour')
    .optional()
    .meta({ description: 'time limit of a query in the SQL editor; default 5 minutes' }),
  exportTime: time('6 hours').optional().meta({
    description: 'time limit of a query for an export or a command; default 10 minutes',
  }),
  exportRows: count(100_000_000)
    .optional()
    .meta({ description: 'rows in one exported table; default 10,000,000' }),
  exportRowsOf: z
    .strictObject({
      viewer: count(100_000_000).optional(),
      explorer: count(100_000_000).optional(),
      editor: count(100_000_000).optional(),
      maker: count(100_000_000).optional(),
    })
    .optional()
    .meta({ description: 'the same for users of each role, in team mode; by default unlimited' }),
  marks: count(200_000).optional().meta({ description: 'marks in one tile; default 50,000' }),
  indexCells: count(20_000_000)
    .optional()
    .meta({ description: 'cells in one result, such as the brush index of a tile; default 2,000,000' }),
  uploadSize: size('1 MiB', '64 GiB')
    .optional()
    .meta({ description: 'size of one file uploaded in the browser; default 8 GiB' }),
  auditRetention: retention('30 days', '3650 days')
    .optional()
    .meta({ description: 'how long the audit log is kept; default 365 days' }),
  trashRetention: retention('1 day', '365 days')
    .optional()
    .meta({ description: 'how long deleted documents stay in the trash; default 30 days' }),
  historyRetention: retention('1 day', '3650 days').optional().meta({
    description: 'how long every version of a document is kept, then the last of each day; default 90 days',
  }),
  engineMemory: size('256 MiB', '64 TiB').optional().meta({
    description:
      'memory of the engine that reads files; default 60 % of the machine’s. Takes effect after a restart',
  }),
  engineThreads: count(1024)
    .optional()
    .meta({ description: 'threads of that engine; default one per core. Takes effect after a restart' }),
  packedMemory: size('16 MiB', '64 TiB').optional().meta({
    description:
      'memory of the packed columns that make brushing instant; default a quarter of the machine’s. Takes effect after a restart',
  }),
  cacheMemory: size('1 MiB', '64 GiB')
    .optional()
    .meta({ description: 'memory of the result cache; default 256 MiB. Takes effect after a restart' }),
  questionsAtOnce: count(1024).optional().meta({
    description:
      'concurrent queries per source, the others wait; default two per core. Takes effect after a restart',
  }),
  readsPerMinute: count(1_000_000).optional().meta({
    description: 'requests of one user that read, in team mode; default 600. Takes effect after a restart',
  }),
  writesPerMinute: count(1_000_000).optional().meta({
    description:
      'requests of one user that change something, in team mode; default 60. Takes effect after a restart',
  }),
  exportsPerMinute: count(1_000_000).optional().meta({
    description: 'exports of one user, in team mode; default 10. Takes effect after a restart',
  }),
  uploadsPerMinute: count(1_000_000).optional().meta({
    description: 'files that one user uploads, in team mode; default 5. Takes effect after a restart',
  }),
  sessionIdle: time('90 days')
    .optional()
    .meta({ description: 'how long a session may be idle; default 7 days. Takes effect after a restart' }),
  sessionLife: time('365 days')
    .optional()
    .meta({ description: 'how long a session lasts; default 30 days. Takes effect after a restart' }),
});
export type LimitsFile = z.infer<typeof LimitsFile>;
