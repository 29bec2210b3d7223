import { queryBody, readWords, rowsAsCsv, rowsAsText, queryWorkspace } from '@belvedere/server';
import { Command, Option } from 'commander';
import {
  again,
  list,
  pathHelp,
  workspaceAt,
  wholeNumber,
  withTrust,
  type CommonOptions,
  type TrustOption,
} from '../arguments.ts';
import { print, printProgress, write } from '../output.ts';
import { serverOf, withServer, type ServerOptions } from '../remote-server.ts';

interface Options extends CommonOptions, TrustOption, ServerOptions {
  readonly measures?: readonly string[];
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly order?: readonly string[];
  readonly limit: number;
  readonly offset: number;
  readonly as?: string;
  readonly csv?: true;
}

export const ask = withServer(withTrust(new Command('ask')))
  .description('query a model by its measures and dimensions')
  .argument('<model>', 'a model, or a table without a model')
  .argument('[path]', pathHelp)
  .option(
    '-m, --measures <names>',
    "measures, comma-separated: flights,avg_delay, or an aggregate of a dimension: 'median(delay)'",
    list,
  )
  .option('-b, --by <fields>', 'dimensions, times with a unit: origin,date:month', list)
  .option(
    '-w, --where <condition>',
    "a condition, repeatable (combined with and): origin=ATL, 'delay>=15', 'date=last 90 days', 'origin!=[\"ATL\",\"DEN\"]', city~San",
    again,
  )
  .option('-o, --order <columns>', 'columns to sort by, with a minus for descending: -flights', list)
  .option('--limit <rows>', 'maximum number of rows', wholeNumber(1, 50_000), 1000)
  .option('--offset <rows>', 'number of rows to skip', wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
  .option('--as <person>', 'view as a user from `tests/`')
  .addOption(new Option('--csv', 'print the result as CSV').conflicts('json'))
  .addHelpText(
    'after',
    `
Examples:
  belvedere ask flights --measures flights,avg_delay --by origin --order -flights --limit 10
  belvedere ask flights -m flights -b date:month -w origin=ATL -w 'date=last 1 year' --csv`,
  )
  .action(async (model: string, path: string | undefined, options: Options, self: Command) => {
    const { as, csv, trust = false, measures = [], by = [], where = [], order = [], limit, offset } = options;
    const words = { measures, by, where, order, limit, offset };
    const server = serverOf(options, path, self);
    if (server && as !== undefined)
      self.error('error: --as needs a folder, since it names a user from `tests/`.');
    const answer = server
      ? await server.postQuery({ params: { name: model }, body: queryBody(readWords(words)) })
      : await queryWorkspace(
          await workspaceAt(path, { trust }),
          { model, ...words, ...(as !== undefined && { as }) },
          printProgress(options),
        );
    if (csv) for await (const piece of await rowsAsCsv(answer)) await write(piece);
    const { rows, total } = answer;
    const note =
      rows.length < total
        ? `${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')} rows. Use --limit and --offset for more.`
        : undefined;
    await print(
      { lines: csv ? [] : await rowsAsText(answer), json: answer, ...(note !== undefined && { note }) },
      options,
    );
  });
