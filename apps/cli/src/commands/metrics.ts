import { metricsTokenOf, type ServerCommand } from '@belvedere/server';
import { Command, Option } from 'commander';
import { pathHelp, workspaceAt, type CommonOptions } from '../arguments.ts';
import { print } from '../output.ts';

export const metrics = new Command('metrics')
  .description('print the token that lets Prometheus read /metrics')
  .argument('[path]', pathHelp)
  .addOption(
    new Option(
      '--for <command>',
      'the command that starts the server; default: `serve` if the folder has ever been served',
    ).choices(['serve', 'open']),
  )
  .addHelpText(
    'after',
    `
Send it as \`Authorization: Bearer TOKEN\`. The token of a server with accounts, which \`serve\` starts, is another than that of
\`open\`. It gives access to /metrics only. To use your own token, start the server with
BELVEDERE_METRICS_TOKEN, or with BELVEDERE_METRICS_TOKEN_FILE set to a file that contains it.`,
  )
  .action(async (path: string | undefined, options: CommonOptions & { for?: ServerCommand }) => {
    const { token, from, command } = await metricsTokenOf(await workspaceAt(path), options.for);
    await print(
      {
        lines: [token],
        note: `For a server that \`${command}\` starts, from ${from}. Send it as: Authorization: Bearer TOKEN`,
        json: { token, from, command },
      },
      options,
    );
  });
