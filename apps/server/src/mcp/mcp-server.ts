import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { RowsPage } from '@belvedere/api';
import { queryCancelled } from '@belvedere/engine';
import { jsonSchemaOf, labelFrom, writeDiff, writeDocument, type DocumentProblem } from '@belvedere/document';
import { z } from 'zod';
import { notFound } from '../commands/not-found.ts';
import { rowsAsText, queryWorkspace } from '../commands/query-workspace.ts';
import { checkWorkspace, warningLine } from '../commands/check-workspace.ts';
import { renderDashboard } from '../commands/render-dashboard.ts';
import { refuseUnconfirmed, unconfirmedForCommands } from '../commands/unconfirmed-sources.ts';
import { progressInWords, type Progress } from '../commands/with-workspace.ts';
import { problemFrom, ProblemError } from '../problems.ts';
import { modelSummary } from '../presenters/present-model.ts';
import { checkedId } from '../workspace/documents/dashboard-store.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { fileTableOf } from '../workspace/workspace.ts';
import { withDocuments, type FolderDocuments } from './with-documents.ts';

export interface Assisted {
  readonly location: ResolvedWorkspace;
  readonly version: string;
  /** The folder of the application's built pages, from which exports are drawn. */
  readonly pagesFolder: string;
}

const instructions = `Belvedere: linked dashboards over files and databases, kept as readable YAML.
A model describes a table: its dimensions to group and filter by, and its measures. A dashboard has pages of tiles; each tile is a query to a model.
To answer a question about the data: list_models, describe_model, ask. Query measures; never compute figures from truncated rows.
To make or change a dashboard or a model: read_document (and read_schema for the allowed properties), check_document until there are no problems, then write_document with the base from read_document. It returns the change as a diff; show it to the user. render_dashboard shows how it looks.`;

const kind = z.enum(['dashboard', 'model']).describe('kind of document');
const words = (what: string) => z.array(z.string()).optional().describe(what);
const modelName = z.string().describe('name of the model, from list_models');
const dashboardName = z
  .string()
  .describe('path of the dashboard, from list_dashboards: `flight-delays`, `overview/flights`');
const documentName = z.string().describe('path of a dashboard, `team/delays`, or name of a model');
const documentText = z.string().describe('the full YAML text');

/**
 * Returns an MCP server for a folder (modelcontextprotocol.io, 2026-07-28 and earlier versions). Assistants
 * read, query, draw and change with the permissions of the user who started it.
 * Calls run one at a time, each on the folder's current state. Between calls, the folder is not locked.
 */
export function mcpServer({ location, version, pagesFolder }: Assisted): McpServer {
  const server = new McpServer({ name: 'belvedere', title: 'Belvedere', version }, { instructions });
  let turn: Promise<unknown> = Promise.resolve();
  /** Queues a call. Errors are returned to the assistant, which can act on them. */
  const inTurn = (
    { mcpReq: { signal, notify, _meta: { progressToken } = {} } }: ServerContext,
    work: (call: Call) => Promise<CallToolResult>,
  ): Promise<CallToolResult> => {
    let last = '';
    let progress = 0;
    const onProgress = (now: Progress) => {
      const message = progressInWords(now).join(' ').trim();
      if (progressToken === undefined || message === last) return;
      last = message;
      void notify({
        method: 'notifications/progress',
        params: { progressToken, progress: ++progress, message },
      }).catch(() => {});
    };
    const result = turn
      .then(() => {
        if (signal.aborted) throw queryCancelled();
        return work({ onProgress, signal });
      })
      .catch(errorResult);
    turn = result;
    return result;
  };
  const looks = { readOnlyHint: true, openWorldHint: false } as const;

  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'List the models that can be queried.',
      annotations: looks,
    },
    context =>
      inTurn(context, use =>
        withDocuments(location, use, async ({ store: { current } }) => {
          const models = [...current.models]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, found]) => {
              const rows = fileTableOf(current, found.model)?.imported?.profile.rows;
              return `${name}: ${found.model.label || labelFrom(name)}, of ${found.model.sql === undefined ? `the table \`${found.model.table}\`` : 'SQL'}${found.model.source === 'files' ? '' : ` of \`${found.model.source}\``}${rows === undefined ? '' : `, ${rows.toLocaleString('en')} rows`}${found.isGuessed ? ' (inferred from its columns)' : ''}`;
            });
          const waiting = [...current.sources.values()]
            .filter(({ unconfirmed }) => unconfirmed)
            .map(unconfirmedForCommands);
          return textResult(
            [...models, ...waiting].join('\n') || 'There are no models: the folder has no data yet.',
          );
        }),
      ),
  );

  server.registerTool(
    'describe_model',
    {
      title: 'Describe a model',
      description: 'Get a model’s dimensions and measures, with their types, units and descriptions.',
      annotations: looks,
      inputSchema: z.object({ model: modelName }),
    },
    ({ model }, context) =>
      inTurn(context, use =>
        withDocuments(location, { ...use, models: () => [model] }, async ({ store: { current } }) => {
          refuseUnconfirmed(current, [model]);
          const found = current.models.get(model);
          if (!found) throw notFound('model', model, [...current.models.keys()]);
          return textResult(JSON.stringify(modelSummary(found), undefined, 1));
        }),
      ),
  );

  server.registerTool(
    'ask',
    {
      title: 'Query a model',
      annotations: looks,
      outputSchema: RowsPage,
      description:
        'Query a model and get the figures the database computes. Query totals, averages and ratios as measures; do not compute them from rows.',
      inputSchema: z.object({
        model: modelName,
        measures: words('measures, or aggregates of a dimension: `flights`, `avg_delay`, `median(delay)`'),
        by: words('dimensions to group by, times with a unit: `origin`, `date:month`'),
        where: words(
          'conditions, combined with and: `origin=ATL`, `delay>=15`, `date=last 90 days`, `origin!=["ATL","DEN"]`, `city~San`',
        ),
        order: words('columns to sort by, with a minus for descending: `-flights`'),
        limit: z.number().int().min(1).max(5000).optional().describe('maximum number of rows; default 100'),
        offset: z.number().int().min(0).optional().describe('number of rows to skip'),
        as: z.string().optional().describe('view as a user from the folder’s `tests/`'),
      }),
    },
    ({ model, measures = [], by = [], where = [], order = [], limit = 100, offset = 0, as }, context) =>
      inTurn(context, async ({ onProgress, signal }) => {
        const result = await queryWorkspace(
          location,
          { model, measures, by, where, order, limit, offset, signal, ...(as !== undefined && { as }) },
          onProgress,
        );
        const cut =
          result.rows.length < result.total
            ? [
                `${result.rows.length.toLocaleString('en')} of ${result.total.toLocaleString('en')} rows. Use limit and offset for more.`,
              ]
            : [];
        return { ...textResult([...rowsAsText(result), ...cut].join('\n')), structuredContent: result };
      }),
  );

  server.registerTool(
    'list_dashboards',
    {
      title: 'List dashboards',
      description:
        'List the dashboards with their pages and tiles. Dashboards named `overview/…` are generated for each table and are not files yet.',
      annotations: looks,
    },
    context =>
      inTurn(context, use =>
        withDocuments(location, use, async ({ store: { current } }) =>
          textResult(
            [...current.dashboards.values()]
              .map(({ id, title, document, problems }) =>
                [
                  `${id}: ${title}${problems.length > 0 ? ` (${problems.length} ${problems.length === 1 ? 'problem' : 'problems'})` : ''}`,
                  ...(document?.pages ?? []).map(
                    (page, i) =>
                      `  page ${i + 1}, ${page.title}: ${Object.entries(page.tiles)
                        .map(([tile, { kind: of }]) => `${tile} (${of})`)
                        .join(', ')}`,
                  ),
                ].join('\n'),
              )
              .join('\n') || 'There are no dashboards.',
          ),
        ),
      ),
  );

  server.registerTool(
    'read_schema',
    {
      title: 'Read a schema',
      description: 'Get the JSON Schema of a kind of document.',
      annotations: looks,
      inputSchema: z.object({ kind }),
    },
    ({ kind: of }, context) => inTurn(context, async () => textResult(JSON.stringify(jsonSchemaOf(of)))),
  );

  server.registerTool(
    'read_document',
    {
      title: 'Read a document',
      description:
        'Get the text of a dashboard or a model. If it is not a file yet, get the text its file would have.',
      annotations: looks,
      inputSchema: z.object({ kind, name: documentName }),
    },
    ({ kind: of, name }, context) =>
      inTurn(context, use =>
        withDocuments(location, use, async documents => {
          const { file, text: now, hash } = await readText(documents, of, name);
          return textResult(
            `${hash === undefined ? `${file} is not a file yet. Saved without a base, it would be:` : `${file}, base ${hash}:`}\n${now}`,
          );
        }),
      ),
  );

  server.registerTool(
    'check_document',
    {
      title: 'Check a document',
      description: 'Check the text of a dashboard or a model against the current data. Writes nothing.',
      annotations: looks,
      inputSchema: z.object({ kind, name: documentName, text: documentText }),
    },
    ({ kind: of, name, text: given }, context) =>
      inTurn(context, use =>
        withDocuments(location, use, async documents =>
          textResult(problemLines(await problemsOf(documents, of, name, given)) || 'No problems found.'),
        ),
      ),
  );

  server.registerTool(
    'check_workspace',
    {
      title: 'Check everything',
      description:
        'Check every document in the folder; with `run`, also query every tile and run the row-policy tests.',
      annotations: looks,
      inputSchema: z.object({ run: z.boolean().optional() }),
    },
    ({ run = false }, context) =>
      inTurn(context, async ({ onProgress }) => {
        const { documents, problems, warnings } = await checkWorkspace(location, { runs: run, onProgress });
        return textResult(
          [
            ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
            ...warnings.map(warning => warningLine(warning)),
            `${documents} ${documents === 1 ? 'document' : 'documents'}, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
          ].join('\n'),
        );
      }),
  );

  server.registerTool(
    'write_document',
    {
      title: 'Write a document',
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      description:
        'Save a text as the file of a dashboard or a model, atomically. A text with problems is not saved. Returns the change as a diff.',
      inputSchema: z.object({
        kind,
        name: documentName,
        text: documentText,
        base: z.string().optional().describe('the base from read_document; none for a new file'),
        message: z.string().max(200).optional().describe('description of the change, for the history'),
      }),
    },
    ({ kind: of, name, text: given, base, message = '' }, context) =>
      inTurn(context, use =>
        withDocuments(location, use, async documents => {
          const problems = await problemsOf(documents, of, name, given);
          if (problems.length > 0)
            throw new ProblemError('document-invalid', `Nothing was written:\n${problemLines(problems)}`);
          const texts = of === 'dashboard' ? documents.dashboards : documents.models;
          const file = texts.fileOf(name);
          const before = base === undefined ? undefined : (await readText(documents, of, name)).text;
          await texts.save(name, given, base, { message });
          return textResult(writeDiff(file, before, given) || `${file} is unchanged.`);
        }),
      ),
  );

  server.registerTool(
    'render_dashboard',
    {
      title: 'Render a dashboard',
      description: 'Render a page of a dashboard, or one of its tiles, as an image.',
      annotations: looks,
      inputSchema: z.object({
        dashboard: dashboardName,
        page: z.number().int().min(1).max(30).optional(),
        tile: z.string().optional().describe('only this tile'),
        where: words('filters, as conditions in ask: `origin=ATL`, `date=last 90 days`'),
        theme: z.enum(['light', 'dark']).optional(),
      }),
    },
    ({ dashboard, page, tile, where = [], theme = 'light' }, context) =>
      inTurn(context, async ({ onProgress, signal }) => {
        let data = '';
        const request = {
          dashboard,
          format: 'png',
          theme,
          pagesFolder,
          signal,
          where,
          ...(page !== undefined && { page }),
          ...(tile !== undefined && { tile }),
        };
        await renderDashboard(
          location,
          request,
          async ({ body }) => {
            const pieces: Uint8Array[] = [];
            for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [body] : body)
              pieces.push(Buffer.from(piece));
            data = Buffer.concat(pieces).toString('base64');
          },
          onProgress,
        );
        return { content: [{ type: 'image', data, mimeType: 'image/png' }] };
      }),
  );

  return server;
}

/** A call's progress callback and abort signal. */
interface Call {
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

type Kind = z.infer<typeof kind>;

/** Returns a document's text and hash; no hash if there is no file. @throws ProblemError `not-found` */
async function readText(
  { dashboards, models, store: { current } }: FolderDocuments,
  of: Kind,
  name: string,
): Promise<{ readonly file: string; readonly text: string; readonly hash?: string | undefined }> {
  if (of === 'model') {
    if (!current.models.has(name)) throw notFound('model', name, [...current.models.keys()]);
    return models.text(name);
  }
  const found = current.dashboards.get(name);
  if (!found) throw notFound('dashboard', name, [...current.dashboards.keys()]);
  const file = `dashboards/${name.split('/').at(-1)!}.yaml`;
  return found.origin === 'overview' && found.document
    ? { file, text: writeDocument(found.document, 'dashboard', file) }
    : dashboards.text(name);
}

/**
 * @throws ProblemError for an invalid document name, and if the columns of the model's SQL cannot be
 * determined
 */
async function problemsOf(
  { dashboards, models }: FolderDocuments,
  of: Kind,
  name: string,
  given: string,
): Promise<readonly DocumentProblem[]> {
  if (of === 'dashboard') {
    checkedId(name);
    return (await dashboards.check(name, given)).problems;
  }
  // The columns of SQL are queried from its source.
  const until = Date.now() + sqlKnownMs;
  let checked = await models.check(name, given);
  for (; checked.isReading && Date.now() < until; checked = await models.check(name, given))
    await new Promise(resolve => setTimeout(resolve, 50));
  if (checked.isReading)
    throw new ProblemError(
      'still-reading',
      `The columns of the SQL of \`${name}\` are not known after ${sqlKnownMs / 1000} seconds.`,
    );
  return checked.problems;
}

const sqlKnownMs = 60_000;

function problemLines(problems: readonly DocumentProblem[]): string {
  return problems
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join('\n');
}

function textResult(content: string): CallToolResult {
  return { content: [{ type: 'text', text: content }] };
}

function errorResult(error: unknown): CallToolResult {
  const { detail, errors = [], type } = problemFrom(error);
  const lines =
    type === 'internal'
      ? [`Something went wrong: ${String(error)}`]
      : [detail, ...errors.map(({ line, column, message }) => `${line}:${column}: ${message}`)];
  return { ...textResult(lines.join('\n')), isError: true };
}
