import { backupWorkspace, restoreBackup } from '@belvedere/server';
import { Command } from 'commander';
import path from 'node:path';
import {
  pathHelp,
  withStateUrl,
  workspaceAt,
  type CommonOptions,
  type StateUrlOption,
} from '../arguments.ts';
import { print } from '../output.ts';
import { version } from '../project.ts';

interface BackupCommandOptions extends CommonOptions, StateUrlOption {
  readonly data: boolean;
}

const size = (bytes: number) => {
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
};

export const backup = withStateUrl(new Command('backup'))
  .description('back up a workspace, with its users, history and secrets, also while it is served')
  .argument('<file>', 'file of the backup: belvedere.tar.gz')
  .argument('[path]', pathHelp)
  .option('--no-data', 'leave out the files of the data folder')
  .addHelpText(
    'after',
    `
The backup has the documents and the records as they were between two saves. Anyone who reads it can read passwords’ hashes and
the instance’s secrets: keep it where only you can. Passwords of sources are encrypted with a key that it does not have
(secret.key in the user’s state directory, or BELVEDERE_SECRET_KEY).`,
  )
  .action(async (file: string, given: string | undefined, options: BackupCommandOptions) => {
    const location = await workspaceAt(given, { trust: false, stateUrl: options.stateUrl });
    const bytes = await backupWorkspace(location, path.resolve(file), {
      hasData: options.data,
      program: version,
    });
    await print(
      {
        lines: [path.resolve(file)],
        json: { file: path.resolve(file), bytes },
        note: `Saved ${size(bytes)}.`,
      },
      options,
    );
  });

export const restore = withStateUrl(new Command('restore'))
  .description('restore a backup to a new folder')
  .argument('<file>', 'file of the backup')
  .argument('<folder>', 'folder that does not exist yet, or is empty')
  .addHelpText(
    'after',
    `
With --state, the records are restored to that PostgreSQL database, also from a backup of SQLite; without it, to SQLite.
Sources must be confirmed again, since the folder is a new one.`,
  )
  .action(async (file: string, folder: string, options: CommonOptions & StateUrlOption) => {
    const restored = await restoreBackup(path.resolve(file), folder, options.stateUrl);
    const without = restored.hasData ? '' : ' The backup has no data files.';
    await print(
      {
        lines: [restored.folder],
        json: restored,
        note: `Restored ${restored.files} files as of ${restored.at}.${without}`,
      },
      options,
    );
  });
