import type { McpServer } from '@modelcontextprotocol/server';
import { RowsPage } from '@belvedere/api';
import { z } from 'zod';
import { rowsAsText } from '../commands/result-text.ts';
import type { AssistedWorkspace } from './assisted-workspace.ts';
import type { RunCall } from './call-queue.ts';
import { modelName, readOnly, words } from './tool-parameters.ts';
import { textResult } from './tool-results.ts';

/** Tools that list, describe and query models. */
export function registerModelTools(server: McpServer, workspace: AssistedWorkspace, runCall: RunCall): void {
  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'List the models that can be queried.',
      annotations: readOnly,
    },
    context =>
      runCall(context, async call =>
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
      annotations: readOnly,
      inputSchema: z.object({ model: modelName }),
    },
    ({ model }, context) =>
      runCall(context, async call =>
        textResult(JSON.stringify(await workspace.describeModel(model, call), undefined, 1)),
      ),
  );

  server.registerTool(
    'ask',
    {
      title: 'Query a model',
      annotations: readOnly,
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
      runCall(context, async call => {
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
}
