import { checkWorkspace, warningLine } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, workspaceAt, withTrust, type CommonOptions, type TrustOption } from '../arguments.ts';
import { print, printProgress } from '../output.ts';
import { serverOf, withServer, type ServerOptions } from '../remote-server.ts';

interface Options extends CommonOptions, TrustOption, ServerOptions {
  readonly run?: true;
}

export const check = withServer(withTrust(new Command('check')))
  .description('check the documents and print problems as file:line:column; exits with 1 if there are any')
  .argument('[path]', pathHelp)
  .option('--run', 'also query every tile and run the row-policy tests')
  .action(async (path: string | undefined, options: Options, self: Command) => {
    const server = serverOf(options, path, self);
    if (server && options.run)
      self.error('error: --run needs a folder; a server runs its dashboards itself.');
    const { documents, problems, warnings } = server
      ? { ...(await server.listProblems({})), documents: undefined }
      : await checkWorkspace(await workspaceAt(path, { trust: options.trust ?? false }), {
          runs: options.run ?? false,
          onProgress: printProgress(options),
        });
    // The format of compilers, so that editors and CI link to the position.
    const lines = [
      ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
      ...warnings.map(warning => warningLine(warning)),
    ];
    await print(
      {
        lines,
        json: { documents, problems, warnings },
        note: [
          ...(documents === undefined ? [] : [counted(documents, 'document')]),
          counted(problems.length, 'error'),
          ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
        ].join(', '),
        isWrong: problems.length > 0,
      },
      options,
    );
  });

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
