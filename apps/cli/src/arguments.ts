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
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `belvedere [PATH]   opens a folder of data, one data file, or a workspace; without PATH the sample

  --gallery    open the gallery in place of the sample: every kind of tile, in its forms
  --port N     the port to listen on (4600; a busy one moves on to the next)
  --host H     the address to listen on: 127.0.0.1, localhost or ::1
  --no-open    do not open a browser
  --quiet      print the address and nothing else
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
      options: { port: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' }, 'no-open': { type: 'boolean' }, quiet: { type: 'boolean' }, gallery: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
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
  };
}
