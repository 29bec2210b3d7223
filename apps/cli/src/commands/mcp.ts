import { remoteWorkspace, serveFolderToAssistant, serveToAssistant } from '@belvedere/server';
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
import { serverOf, withServer, type ServerOptions } from '../remote-server.ts';

interface Options extends TrustOption, StateUrlOption, ServerOptions {}

export const mcp = withServer(withStateUrl(withTrust(new Command('mcp'))))
  .description('start an MCP server, for assistants to query, render and edit the workspace')
  .argument('[path]', pathHelp)
  .addHelpText(
    'after',
    `
The assistant starts the server and communicates over stdin and stdout. In its settings:
  { "mcpServers": { "belvedere": { "command": "npm", "args": ["--silent", "--prefix", "BELVEDERE", "start", "--", "mcp", "FOLDER"] } } }`,
  )
  .action(async (path: string | undefined, options: Options, self: Command) => {
    const onError = (error: Error) => console.error(error.message);
    const server = serverOf(options, path, self);
    if (server) await serveToAssistant(await remoteWorkspace(server), version, onError);
    else {
      const { trust = false, stateUrl } = options;
      await serveFolderToAssistant(
        await workspaceAt(path, { trust, stateUrl }),
        pagesFolder,
        version,
        onError,
      );
    }
    process.exit(0);
  });
