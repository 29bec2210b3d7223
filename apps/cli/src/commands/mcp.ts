import { serveMcp } from '@belvedere/server';
import { Command } from 'commander';
import {
  pathHelp,
  workspaceAt,
  withStateUrl,
  withTrust,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { pagesFolder, version } from '../project.ts';

export const mcp = withStateUrl(withTrust(new Command('mcp')))
  .description('start an MCP server, for assistants to query, render and edit the workspace')
  .argument('[path]', pathHelp)
  .addHelpText(
    'after',
    `
The assistant starts the server and communicates over stdin and stdout. In its settings:
  { "mcpServers": { "belvedere": { "command": "npm", "args": ["--silent", "--prefix", "BELVEDERE", "start", "--", "mcp", "FOLDER"] } } }`,
  )
  .action(async (path: string | undefined, { trust, stateUrl }: TrustOption & StateUrlOption) => {
    await serveMcp(
      { location: await workspaceAt(path, { trust: trust ?? false, stateUrl }), version, pagesFolder },
      error => console.error(error.message),
    );
    process.exit(0);
  });
