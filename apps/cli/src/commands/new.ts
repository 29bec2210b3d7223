import { newDashboard } from '@belvedere/server';
import { Command } from 'commander';
import { pathHelp, placeAt, withTrust, type CommonOptions, type TrustOption } from '../arguments.ts';
import { tell, tellProgress } from '../tell.ts';

export const create = withTrust(new Command('new'))
  .description('begin a dashboard’s file with the overview of a table')
  .argument('<dashboard>', 'its address: `delays`, `team/delays`')
  .argument('[path]', pathHelp)
  .option('--model <name>', 'what it is about; without it the first that there is')
  .action(
    async (
      dashboard: string,
      path: string | undefined,
      options: CommonOptions & TrustOption & { readonly model?: string },
    ) => {
      const file = await newDashboard(await placeAt(path, { trust: options.trust ?? false }), dashboard, {
        ...(options.model !== undefined && { about: options.model }),
        onProgress: tellProgress(options),
      });
      await tell({ lines: [file], json: { file } }, options);
    },
  );
