import { newDashboard } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, workspaceAt, withTrust, type CommonOptions, type TrustOption } from '../arguments.ts';
import { print, printProgress } from '../output.ts';

export const create = withTrust(new Command('new'))
  .description('create a dashboard file from the overview of a model')
  .argument('<dashboard>', 'path of the dashboard: `delays`, `team/delays`')
  .argument('[path]', pathHelp)
  .option('--model <name>', 'the model; default: the first one')
  .action(
    async (
      dashboard: string,
      path: string | undefined,
      options: CommonOptions & TrustOption & { readonly model?: string },
    ) => {
      const file = await newDashboard(await workspaceAt(path, { trust: options.trust ?? false }), dashboard, {
        ...(options.model !== undefined && { about: options.model }),
        onProgress: printProgress(options),
      });
      await print({ lines: [file], json: { file } }, options);
    },
  );
