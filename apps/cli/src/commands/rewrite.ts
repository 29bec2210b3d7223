import { formatWorkspace } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, workspaceAt, type CommonOptions } from '../arguments.ts';
import { print } from '../output.ts';

export const fmt = rewriting('fmt', 'format', 'format the documents');
export const migrate = rewriting('migrate', 'migrate', 'migrate the documents to the current version');

function rewriting(name: string, how: Parameters<typeof formatWorkspace>[1], description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[path]', pathHelp)
    .option('--check', 'only list the documents that would change; exits with 1 if there are any')
    .action(async (path: string | undefined, options: CommonOptions & { readonly check?: true }) => {
      const writes = !options.check;
      const changed = await formatWorkspace(await workspaceAt(path), how, writes);
      await print(
        { lines: changed, json: { changed, isWritten: writes }, isWrong: !writes && changed.length > 0 },
        options,
      );
    });
}
