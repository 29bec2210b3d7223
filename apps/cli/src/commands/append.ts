import { ApiError, appendRows } from '@belvedere/api';
import { linesOf } from '@belvedere/server';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import type { CommonOptions } from '../arguments.ts';
import { lineBatches } from '../line-batches.ts';
import { print } from '../output.ts';
import { connectionOf, withServer, type ServerOptions } from '../remote-server.ts';

interface Options extends CommonOptions, ServerOptions {}

/** Waits between attempts while the server is away or busy; the last one is repeated. */
const retrySeconds = [1, 2, 5, 10, 30];
/** A server may restart; after this long, the rows are given up. */
const patienceMs = 10 * 60_000;

export const append = withServer(new Command('append'))
  .description('append rows to a table of a server, from NDJSON: one JSON object per line')
  .argument('<table>', 'a table that is one NDJSON file, or a new one')
  .argument('[file]', 'the rows; standard input if absent')
  .addHelpText(
    'after',
    `
Rows are sent every second. While the server is away, sending is retried for ten minutes; each row is added once.

Examples:
  belvedere append readings today.ndjson
  tail -n 0 -F app.log | belvedere append log`,
  )
  .action(async (table: string, file: string | undefined, options: Options) => {
    const { server, send } = connectionOf(options);
    const input = file === undefined ? process.stdin : createReadStream(file);
    let added = 0;
    for await (const batch of lineBatches(linesOf(input))) {
      const key = randomUUID();
      const rows = batch.lines.join('\n');
      added += await patiently(() => appendRows(server, table, rows, key, send)).catch((error: unknown) => {
        throw withLine(error, batch.first, added);
      });
    }
    await print(
      { lines: [`${added.toLocaleString('en')} rows added to \`${table}\`.`], json: { added } },
      options,
    );
  });

/** Repeats a request while the server is away or busy. @throws the last error after ten minutes */
async function patiently<T>(request: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const { status, retryAfterSeconds } = error instanceof ApiError ? error.problem : { status: 0 };
      const isAway = status === 429 || status === 502 || status === 503 || status === 504;
      if (!isAway || performance.now() - began > patienceMs) throw error;
      await wait(1000 * (retryAfterSeconds ?? retrySeconds[Math.min(attempt, retrySeconds.length - 1)]!));
    }
  }
}

/** Counts the lines of an error from the beginning of the input, and says how much was added before. */
function withLine(error: unknown, first: number, added: number): unknown {
  if (!(error instanceof ApiError) || error.problem.detail === undefined) return error;
  const detail = error.problem.detail.replace(/^Line (\d+)/, (_, line) => `Line ${first - 1 + Number(line)}`);
  const before = added > 0 ? ` ${added.toLocaleString('en')} rows before it were added.` : '';
  return new ApiError({ ...error.problem, detail: detail + before });
}
