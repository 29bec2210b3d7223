import { checkWorkspace } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, workspaceAt, withTrust, type CommonOptions, type TrustOption } from '../arguments.ts';
import { print, printProgress } from '../output.ts';

export const check = withTrust(new Command('check'))
  .description('check the documents and print problems as file:line:column; exits with 1 if there are any')
  .argument('[path]', pathHelp)
  .option('--run', 'also query every tile and run the row-policy tests')
  .action(
    async (path: string | undefined, options: CommonOptions & TrustOption & { readonly run?: true }) => {
      const { documents, problems, warnings } = await checkWorkspace(
        await workspaceAt(path, { trust: options.trust ?? false }),
        { runs: options.run ?? false, onProgress: printProgress(options) },
      );
      // The format of compilers, so that editors and CI link to the position.
      const lines = [
        ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
        ...warnings.map(({ file, message }) => `${file}: warning: ${message}`),
      ];
      await print(
        {
          lines,
          json: { documents, problems, warnings },
          note: [
            counted(documents, 'document'),
            counted(problems.length, 'error'),
            ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
          ].join(', '),
          isWrong: problems.length > 0,
        },
        options,
      );
    },
  );

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
