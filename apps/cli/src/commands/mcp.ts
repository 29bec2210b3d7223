import { serveMcp } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, placeAt, withTrust } from '../arguments.ts';
import { pagesFolder, version } from '../project.ts';

export const mcp = withTrust(new Command('mcp'))
  .description('let an assistant read, ask, draw and change it (Model Context Protocol)')
  .argument('[path]', pathHelp)
  .addHelpText(
    'after',
    `
An assistant starts it by itself, and speaks to it by standard input and output. In its settings:
  { "mcpServers": { "belvedere": { "command": "npm", "args": ["--silent", "--prefix", "BELVEDERE", "start", "--", "mcp", "FOLDER"] } } }`,
  )
  .action(async (path: string | undefined, { trust = false }: { readonly trust?: boolean }) => {
    await serveMcp({ place: await placeAt(path, { trust }), version, pagesFolder }, error =>
      console.error(error.message),
    );
    process.exit(0);
  });
