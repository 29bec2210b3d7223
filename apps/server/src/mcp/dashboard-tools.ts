import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AssistedWorkspace } from './assisted-workspace.ts';
import type { RunCall } from './call-queue.ts';
import { dashboardName, readOnly, words } from './tool-parameters.ts';
import { textResult } from './tool-results.ts';

/** Tools that list, describe and draw dashboards. */
export function registerDashboardTools(
  server: McpServer,
  workspace: AssistedWorkspace,
  runCall: RunCall,
): void {
  server.registerTool(
    'list_dashboards',
    {
      title: 'List dashboards',
      description:
        'List the dashboards with their pages and tiles. Dashboards named `overview/…` are generated for each table and are not files yet.',
      annotations: readOnly,
    },
    context =>
      runCall(context, async call =>
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
      annotations: readOnly,
      inputSchema: z.object({ dashboard: dashboardName }),
    },
    ({ dashboard }, context) =>
      runCall(context, async call =>
        textResult(JSON.stringify(await workspace.describeDashboard(dashboard, call), undefined, 1)),
      ),
  );

  server.registerTool(
    'render_dashboard',
    {
      title: 'Render a dashboard',
      description: 'Render a page of a dashboard, or one of its tiles, as an image.',
      annotations: readOnly,
      inputSchema: z.object({
        dashboard: dashboardName,
        page: z.number().int().min(1).max(30).optional(),
        tile: z.string().optional().describe('only this tile'),
        where: words('filters, as conditions in ask: `origin=ATL`, `date=last 90 days`'),
        theme: z.enum(['light', 'dark']).optional(),
      }),
    },
    ({ dashboard, page, tile, where = [], theme = 'light' }, context) =>
      runCall(context, async call => {
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
}
