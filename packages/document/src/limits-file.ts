import { z } from 'zod';
import { durationMs, PlainDuration } from './duration.ts';

const unitsBytes = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
const sizePattern = /^(\d{1,6}) (KiB|MiB|GiB|TiB)$/;

/** `256 MiB`, `8 GiB` in bytes; the documents' schema lets nothing else through. @throws RangeError */
export function sizeBytes(text: string): number {
  const [, count, unit] = sizePattern.exec(text) ?? [];
  if (!unit) throw new RangeError(`${text} is not a size.`);
  return Number(count) * unitsBytes[unit as keyof typeof unitsBytes];
}

const time = (most: string) =>
  PlainDuration.refine(text => durationMs(text) <= durationMs(most), `at most ${most}`);
const count = (most: number) => z.number().int().min(1).max(most);
const size = (least: string, most: string) =>
  z
    .string()
    .regex(sizePattern, { error: 'a size such as `256 MiB` or `8 GiB`', abort: true })
    .refine(
      text => sizeBytes(text) >= sizeBytes(least) && sizeBytes(text) <= sizeBytes(most),
      `${least} to ${most}`,
    );

/** How much of what there may be in a workspace, each with a ceiling; what is not said is as the program has it (`limits.ts` of the server). */
export const LimitsFile = z.strictObject({
  questionTime: time('10 minutes')
    .optional()
    .meta({ description: 'how long a question of a page may take; 30 seconds' }),
  sqlTime: time('1 hour').optional().meta({ description: 'how long somebody’s own SQL may take; 5 minutes' }),
  exportTime: time('6 hours').optional().meta({
    description: 'how long a question may take that is asked for a file, or by a command; 10 minutes',
  }),
  exportRows: count(100_000_000)
    .optional()
    .meta({ description: 'rows of one table that is taken away; 10,000,000' }),
  marks: count(200_000).optional().meta({ description: 'marks of one tile; 50,000' }),
  indexCells: count(20_000_000)
    .optional()
    .meta({ description: 'totals of one answer, such as a tile’s for every step of a brush; 2,000,000' }),
  uploadSize: size('1 MiB', '64 GiB')
    .optional()
    .meta({ description: 'of one file that is put among the data through the browser; 8 GiB' }),
  engineMemory: size('256 MiB', '64 TiB')
    .optional()
    .meta({ description: 'of the engine that reads files; 60 % of the machine’s. From the next start' }),
  engineThreads: count(1024)
    .optional()
    .meta({ description: 'of that engine; one for each core. From the next start' }),
  packedMemory: size('16 MiB', '64 TiB').optional().meta({
    description:
      'of the packed columns that make brushing instant; a quarter of the machine’s. From the next start',
  }),
  cacheMemory: size('1 MiB', '64 GiB')
    .optional()
    .meta({ description: 'for answers that were given; 256 MiB. From the next start' }),
  questionsAtOnce: count(1024).optional().meta({
    description:
      'of one source that are answered at once, the others wait; two for each core. From the next start',
  }),
  sessionIdle: time('90 days')
    .optional()
    .meta({ description: 'how long somebody may be away who has signed in; 7 days. From the next start' }),
  sessionLife: time('365 days')
    .optional()
    .meta({ description: 'after how long one signs in anew; 30 days. From the next start' }),
});
export type LimitsFile = z.infer<typeof LimitsFile>;
