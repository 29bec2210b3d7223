import { ExportFormat, streamChunks, type Client } from '@belvedere/api';
import { ProblemError, renderDashboard, stateToRender } from '@belvedere/server';
import { Command, Option } from 'commander';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  again,
  pathHelp,
  readLocale,
  workspaceAt,
  wholeNumber,
  withStateUrl,
  withTrust,
  type CommonOptions,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { pagesFolder } from '../project.ts';
import { print, printProgress, write } from '../output.ts';
import { serverOf, withServer, type ServerOptions } from '../remote-server.ts';

interface Options extends CommonOptions, TrustOption, StateUrlOption, ServerOptions {
  readonly format?: string;
  readonly out?: string;
  readonly tile?: string;
  readonly allRows?: true;
  readonly page?: number;
  readonly locale?: string;
  readonly theme: 'light' | 'dark';
  readonly state?: string;
  readonly where?: readonly string[];
}

const formats = ['png', 'svg', 'pdf', 'csv', 'xlsx', 'parquet', 'html'];

type Rendered = Pick<Parameters<Parameters<typeof renderDashboard>[2]>[0], 'name' | 'body'>;
type Body = Rendered['body'];

export const render = withServer(withStateUrl(withTrust(new Command('render'))))
  .description('render a dashboard to a file, without a browser')
  .argument('<dashboard>', 'path of the dashboard: `flight-delays`, `overview/flights`')
  .argument('[path]', pathHelp)
  .addOption(
    new Option(
      '-f, --format <format>',
      'output format; default: that of the output file’s extension, else pdf',
    ).choices(formats),
  )
  .option(
    '-o, --out <file>',
    'output file or folder, or - for stdout; default: a file named after the dashboard',
  )
  .option('--tile <id>', 'only this tile')
  .option(
    '--all-rows',
    'all rows of tables: up to 2,000 each in a PDF, instead of those that tiles show; in a workbook all, instead of 10,000 each',
  )
  .option('--page <number>', 'page number; PDFs and workbooks include all pages', wholeNumber(1, 30))
  .option('--locale <tag>', 'locale for language and number formats: de-CH', readLocale)
  .addOption(
    new Option('--theme <theme>', 'theme: light or dark').choices(['light', 'dark']).default('light'),
  )
  .option(
    '-w, --where <condition>',
    "a filter, as in `ask`, repeatable: origin=ATL, 'date=last 90 days'",
    again,
  )
  .option('--state <state>', 'filters and selections: the query string of the page’s URL, or JSON')
  .action(async (dashboard: string, given: string | undefined, options: Options, self: Command) => {
    const server = serverOf(options, given, self);
    const {
      out,
      format = formatOfFile(out),
      tile,
      allRows = false,
      page,
      locale,
      theme,
      state,
      where,
      stateUrl,
    } = options;
    const target = await targetOf(out);
    let file: string | undefined;
    const request = {
      dashboard,
      format,
      theme,
      pagesFolder,
      allRows,
      ...(tile !== undefined && { tile }),
      ...(page !== undefined && { page }),
      ...(locale !== undefined && { locale }),
      ...(state !== undefined && { state }),
      ...(where && { where }),
    };
    const save = async ({ name, body }: Rendered) => {
      if (target === undefined) return writeOut(body);
      file = target.isFolder ? path.join(target.path, name) : target.path;
      await writeWhole(file, body);
    };
    if (server) await save(await renderRemotely(server, request));
    else
      await renderDashboard(
        await workspaceAt(given, { trust: options.trust ?? false, stateUrl }),
        request,
        save,
        printProgress(options),
      );
    await print(
      { lines: file === undefined ? [] : [file], json: { file } },
      file === undefined ? { quiet: true } : options,
    );
  });

/** Returns the format that a file's extension names. */
function formatOfFile(file: string | undefined): string {
  const extension = path
    .extname(file ?? '')
    .slice(1)
    .toLowerCase();
  return formats.includes(extension) ? extension : 'pdf';
}

/** Has a server render a dashboard. The file has the name that the server gives it. */
async function renderRemotely(
  server: Client,
  { dashboard, format, ...request }: Parameters<typeof renderDashboard>[1],
): Promise<Rendered> {
  const { theme, tile, locale, allRows } = request;
  const response = await server.postExport({
    params: { id: dashboard },
    body: {
      format: ExportFormat.parse(format),
      theme,
      ...(tile !== undefined && { tile }),
      ...(locale !== undefined && { locale }),
      rows: allRows ? 'all' : 'limited',
      state: await stateToRender(request),
    },
  });
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return {
    // Only a name: a server does not choose the folder.
    name: path.basename(name === undefined ? `${dashboard}.${format}` : decodeURIComponent(name)),
    body: streamChunks(response.body!),
  };
}

/**
 * Resolves the output path; undefined writes to standard output.
 * @throws ProblemError when the folder does not exist, before rendering starts
 */
async function targetOf(
  out: string | undefined,
): Promise<{ readonly path: string; readonly isFolder: boolean } | undefined> {
  if (out === '-') return undefined;
  if (out === undefined) return { path: '', isFolder: true };
  const isFolder = (file: string) =>
    stat(file).then(
      found => found.isDirectory(),
      () => false,
    );
  if (await isFolder(out)) return { path: out, isFolder: true };
  const folder = path.dirname(path.resolve(out));
  if (!(await isFolder(folder)))
    throw new ProblemError(
      'not-found',
      `Folder \`${folder}\` not found, so cannot write \`${path.basename(out)}\`.`,
    );
  return { path: out, isFolder: false };
}

/** Writes to a temporary file and renames it, so that no incomplete file remains. */
async function writeWhole(file: string, body: Body): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeFile(part, body);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function writeOut(body: Body): Promise<void> {
  for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [body] : body)
    await write(piece);
}
