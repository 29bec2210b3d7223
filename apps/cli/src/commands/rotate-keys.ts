import { rotateKeys } from '@belvedere/server';
import { Command } from 'commander';
import {
  pathHelp,
  withStateUrl,
  workspaceAt,
  type CommonOptions,
  type StateUrlOption,
} from '../arguments.ts';
import { print } from '../output.ts';

export const rotate = withStateUrl(new Command('rotate-keys'))
  .description('replace the keys with which secrets are encrypted, and encrypt all secrets again')
  .argument('[path]', pathHelp)
  .addHelpText(
    'after',
    `
Works while no server has the workspace open. If it is interrupted, everything can still be read: run it again. Earlier backups
contain the earlier keys.`,
  )
  .action(async (given: string | undefined, options: CommonOptions & StateUrlOption) => {
    const location = await workspaceAt(given, { trust: false, stateUrl: options.stateUrl });
    const rotated = await rotateKeys(location);
    const { authenticators, embedKeys, channels, settings, passwords, unreadable } = rotated;
    await print(
      {
        lines: [
          `authenticator apps  ${authenticators}`,
          `embedding keys  ${embedKeys}`,
          `channels  ${channels}`,
          `mail server and sign-in providers  ${settings}`,
          `passwords of sources  ${passwords}`,
        ],
        json: rotated,
        note:
          unreadable === 0
            ? 'All secrets are encrypted with new keys.'
            : `${unreadable} could not be read with any key of this instance, and stay as they are.`,
      },
      options,
    );
  });
