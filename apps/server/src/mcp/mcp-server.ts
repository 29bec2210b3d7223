import { McpServer } from '@modelcontextprotocol/server';
import type { AssistedWorkspace } from './assisted-workspace.ts';
import { callQueue } from './call-queue.ts';
import { registerDashboardTools } from './dashboard-tools.ts';
import { registerDocumentTools } from './document-tools.ts';
import { registerModelTools } from './model-tools.ts';

const instructions = `Belvedere: linked dashboards over files and databases, kept as readable YAML.
A model describes a table: its dimensions to group and filter by, and its measures. A dashboard has pages of tiles; each tile is a query to a model.
What dashboards show: list_dashboards, describe_dashboard.
To answer a question about the data: list_models, describe_model, ask. Query measures; never compute figures from truncated rows.
To make or change a dashboard or a model: read_document (and read_schema for the allowed properties), check_document until there are no problems, then write_document with the base from read_document. It returns the change as a diff; show it to the user. render_dashboard shows how it looks.`;

/**
 * Returns an MCP server (modelcontextprotocol.io, 2026-07-28 and earlier versions), by whose tools assistants
 * read, query, draw and change a workspace. Its calls run one at a time.
 */
export function mcpServer(workspace: AssistedWorkspace, version: string): McpServer {
  const server = new McpServer({ name: 'belvedere', title: 'Belvedere', version }, { instructions });
  const run = callQueue();
  registerModelTools(server, workspace, run);
  registerDashboardTools(server, workspace, run);
  registerDocumentTools(server, workspace, run);
  return server;
}
