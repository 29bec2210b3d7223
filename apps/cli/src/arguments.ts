import { parseArgs } from 'node:util';

export interface Arguments {
  readonly path?: string;
  readonly port?: number;
  readonly host: string;
  readonly open: boolean;
  readonly quiet: boolean;
  readonly gallery: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** Check the documents; `runs` asks every tile too. */
  readonly check?: { readonly runs: boolean };
  /** Bring the documents into one style, or into today's version; without `writes`, only say which are not. */
  readonly rewrite?: { readonly how: 'format' | 'migrate'; readonly writes: boolean };
  /** Begin a dashboard's file. */
  readonly create?: { readonly dashboard: string; readonly about?: string };
  /** Draw a dashboard as a file in place of opening anything. */
  readonly render?: { readonly dashboard: string; readonly format: string; readonly out?: string; readonly tile?: string; readonly page: number; readonly locale?: string; readonly theme: 'light' | 'dark'; readonly state?: string };
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `belvedere [PATH]   opens a folder of data, one data file, or a workspace; without PATH the sample
belvedere render DASHBOARD [PATH]   draws a dashboard as a file, without a server and a browser
belvedere new DASHBOARD [PATH]      begins a dashboard's file with the overview of a table (--model M)
belvedere check [PATH]              says what is wrong with the documents, as file:line:column; with --run asks every tile
belvedere fmt [PATH]                brings the documents into one style; with --check only says which are not
belvedere migrate [PATH]            brings the documents into today's version; with --check only says which are not

  --gallery    open the gallery in place of the sample: every kind of tile, in its forms
  --port N     the port to listen on (4600; a busy one moves on to the next)
  --host H     the address to listen on: 127.0.0.1, localhost or ::1
  --no-open    do not open a browser
  --quiet      print the address and nothing else
  --format F   of render: png, svg, pdf, csv, xlsx, parquet or html (pdf)
  --out FILE   of render: where to; without it, a file named after the dashboard
  --tile ID, --page N, --locale L, --theme light|dark, --state JSON   of render: what of it, and how it is seen
  --model M    of new: what it is about
  --version    print the version
  --help       print this

With npm: npm start -- PATH --no-open`;

/** @throws UsageError for anything it does not understand. */
export function parseArguments(args: readonly string[]): Arguments {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { port: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' }, 'no-open': { type: 'boolean' }, quiet: { type: 'boolean' }, gallery: { type: 'boolean' }, format: { type: 'string' }, out: { type: 'string' }, tile: { type: 'string' }, page: { type: 'string' }, locale: { type: 'string' }, theme: { type: 'string' }, state: { type: 'string' }, model: { type: 'string' }, run: { type: 'boolean' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values } = parsed;
  const [command, named] = parsed.positionals;
  const isRender = command === 'render';
  const isNew = command === 'new';
  const isCheck = command === 'check';
  const rewriting = command === 'fmt' ? 'format' : command === 'migrate' ? 'migrate' : undefined;
  const positionals = parsed.positionals.slice(isRender || isNew ? 2 : isCheck || rewriting ? 1 : 0);
  if (values.model !== undefined && !isNew) throw new UsageError('--model belongs to `belvedere new`.');
  if (values.run && !isCheck) throw new UsageError('--run belongs to `belvedere check`.');
  if (values.check && !rewriting) throw new UsageError('--check belongs to `belvedere fmt` and `belvedere migrate`.');
  if (isNew && named === undefined) throw new UsageError('Name the new dashboard: belvedere new DASHBOARD [PATH].');
  const only = (['format', 'out', 'tile', 'page', 'locale', 'theme', 'state'] as const).find(name => values[name] !== undefined);
  if (!isRender && only) throw new UsageError(`--${only} belongs to \`belvedere render\`.`);
  if (isRender && parsed.positionals[1] === undefined) throw new UsageError('Name the dashboard to render: belvedere render DASHBOARD [PATH].');
  const page = Number(values.page ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > 30) throw new UsageError(`--page takes a number from 1 to 30, not ${values.page}.`);
  if (values.theme !== undefined && values.theme !== 'light' && values.theme !== 'dark') throw new UsageError(`--theme is light or dark, not ${values.theme}.`);
  if (values.gallery && positionals.length > 0) throw new UsageError('--gallery opens a sample of its own: it takes no PATH.');
  if (positionals.length > 1) throw new UsageError(`One PATH at a time, not ${positionals.length}.`);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw new UsageError(`--port takes a number from 0 to 65535, not ${values.port}.`);
  if (!['127.0.0.1', 'localhost', '::1'].includes(values.host)) {
    throw new UsageError(`--host ${values.host} would let other machines in, and this version has no accounts to check who they are. Use 127.0.0.1, localhost or ::1.`);
  }
  return {
    ...(positionals[0] !== undefined && { path: positionals[0] }),
    ...(port !== undefined && { port }),
    host: values.host,
    open: !values['no-open'],
    quiet: values.quiet ?? false,
    gallery: values.gallery ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
    ...(isCheck && { check: { runs: values.run ?? false } }),
    ...(rewriting && { rewrite: { how: rewriting, writes: !values.check } }),
    ...(isNew && { create: { dashboard: named!, ...(values.model !== undefined && { about: values.model }) } }),
    ...(isRender && {
      render: {
        dashboard: parsed.positionals[1]!, format: values.format ?? 'pdf', page, ...(values.locale !== undefined && { locale: values.locale }), theme: values.theme ?? 'light',
        ...(values.out !== undefined && { out: values.out }), ...(values.tile !== undefined && { tile: values.tile }), ...(values.state !== undefined && { state: values.state }),
      },
    }),
  };
}
