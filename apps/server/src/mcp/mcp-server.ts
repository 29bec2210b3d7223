import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { ApiError, RowsPage } from '@belvedere/api';
import { queryCancelled } from '@belvedere/engine';
import { jsonSchemaOf, type DocumentKind } from '@belvedere/document';
import { z } from 'zod';
import { progressInWords, type Progress } from '../commands/progress.ts';
import { rowsAsText } from '../commands/result-text.ts';
import { problemFrom } from '../problems.ts';
import type { AssistantCall, AssistedWorkspace, DocumentLine } from './assisted-workspace.ts';

const instructions = `Belvedere: linked dashboards over files and databases, kept as readable YAML.
A model describes a table: its dimensions to group and filter by, and its measures. A dashboard has pages of tiles; each tile is a query to a model.
What dashboards show: list_dashboards, describe_dashboard.
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
 * Returns an MCP server (modelcontextprotocol.io, 2026-07-28 and earlier versions), by whose tools assistants
 * read, query, draw and change a workspace. Its calls run one at a time.
 */
export function mcpServer(workspace: AssistedWorkspace, version: string): McpServer {
  const server = new McpServer({ name: 'belvedere', title: 'Belvedere', version }, { instructions });
  let turn: Promise<unknown> = Promise.resolve();
  /** Queues a call. Errors are returned to the assistant, which can act on them. */
  const inTurn = (
    { mcpReq: { signal, notify, _meta: { progressToken } = {} } }: ServerContext,
    work: (call: AssistantCall) => Promise<CallToolResult>,
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
      inTurn(context, async call =>
        textResult(
          (await workspace.listModels(call)).join('\n') || 'There are no models: there is no data yet.',
        ),
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
      inTurn(context, async call =>
        textResult(JSON.stringify(await workspace.describeModel(model, call), undefined, 1)),
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
        as: z.string().optional().describe('view as a user from the folder’s `tests/`; not with a server'),
      }),
    },
    ({ model, measures = [], by = [], where = [], order = [], limit = 100, offset = 0, as }, context) =>
      inTurn(context, async call => {
        const result = await workspace.query(
          { model, measures, by, where, order, limit, offset, ...(as !== undefined && { as }) },
          call,
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
      inTurn(context, async call =>
        textResult(
          (await workspace.listDashboards(call))
            .map(({ id, title, problems, pages = [] }) =>
              [
                `${id}: ${title}${problems > 0 ? ` (${problems} ${problems === 1 ? 'problem' : 'problems'})` : ''}`,
                ...pages.map(
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
  );

  server.registerTool(
    'describe_dashboard',
    {
      title: 'Describe a dashboard',
      description: 'Get what a dashboard shows: its filters, pages and tiles, with their fields.',
      annotations: looks,
      inputSchema: z.object({ dashboard: dashboardName }),
    },
    ({ dashboard }, context) =>
      inTurn(context, async call =>
        textResult(JSON.stringify(await workspace.describeDashboard(dashboard, call), undefined, 1)),
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
    ({ kind: of }, context) => inTurn(context, async () => textResult(schemaText(of))),
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
      inTurn(context, async call => {
        const { file, text, hash } = await workspace.readDocument(of, name, call);
        return textResult(
          `${hash === undefined ? `${file} is not a file yet. Saved without a base, it would be:` : `${file}, base ${hash}:`}\n${text}`,
        );
      }),
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
      inTurn(context, async call =>
        textResult(linesOf(await workspace.checkDocument(of, name, given, call)) || 'No problems found.'),
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
      inTurn(context, async call => textResult((await workspace.checkAll(run, call)).join('\n'))),
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
      inTurn(context, async call => {
        const {
          file,
          diff,
          problems = [],
        } = await workspace.writeDocument(of, name, given, base, message, call);
        const found = problems.length > 0 ? `\nSaved, but with problems:\n${linesOf(problems)}` : '';
        return textResult(`${diff || `${file} is unchanged.`}${found}`);
      }),
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
      inTurn(context, async call => {
        const picture = await workspace.render(
          {
            dashboard,
            where,
            theme,
            ...(page !== undefined && { page }),
            ...(tile !== undefined && { tile }),
          },
          call,
        );
        const data = Buffer.from(picture).toString('base64');
        return { content: [{ type: 'image', data, mimeType: 'image/png' }] };
      }),
  );

  return server;
}

const schemaTexts = new Map<DocumentKind, string>();

/** Made once: it takes some 10 ms. */
function schemaText(of: DocumentKind): string {
  const text = schemaTexts.get(of) ?? JSON.stringify(jsonSchemaOf(of));
  schemaTexts.set(of, text);
  return text;
}

/** Returns errors in the format of compilers, a line each. */
function linesOf(problems: readonly DocumentLine[]): string {
  return problems
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join('\n');
}

function textResult(content: string): CallToolResult {
  return { content: [{ type: 'text', text: content }] };
}

function errorResult(error: unknown): CallToolResult {
  const { detail, errors = [], type } = error instanceof ApiError ? error.problem : problemFrom(error);
  const lines =
    type === 'internal'
      ? [`Something went wrong: ${String(error)}`]
      : [detail, ...errors.map(({ line, column, message }) => `${line}:${column}: ${message}`)];
  return { ...textResult(lines.filter(line => line !== undefined).join('\n')), isError: true };
}
