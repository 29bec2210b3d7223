import { metricsTokenOf } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, workspaceAt, type CommonOptions } from '../arguments.ts';
import { print } from '../output.ts';

export const metrics = new Command('metrics')
  .description('print the token that lets Prometheus read /metrics')
  .argument('[path]', pathHelp)
  .addHelpText(
    'after',
    `
Send it as \`Authorization: Bearer TOKEN\`. It gives access to /metrics only. To use your own token, start the server with
BELVEDERE_METRICS_TOKEN, or with BELVEDERE_METRICS_TOKEN_FILE set to a file that contains it.`,
  )
  .action(async (path: string | undefined, options: CommonOptions) => {
    const { token, from } = await metricsTokenOf(await workspaceAt(path));
    await print(
      {
        lines: [token],
        note: `From ${from}. Send it as: Authorization: Bearer TOKEN`,
        json: { token, from },
      },
      options,
    );
  });
