import type { ProblemWords } from '@belvedere/api';
import { dashboardEn } from './dashboard/en.ts';
import { dataEn } from './data/en.ts';
import { downloadsEn } from './downloads/en.ts';
import { filtersEn } from './filters/en.ts';
import { homeEn } from './home/en.ts';
import { importOptionsEn } from './import-options/en.ts';
import { shellEn } from './shell/en.ts';
import { sourcesEn } from './sources/en.ts';
import { tileEn } from './tile/en.ts';

/** The texts of the interface in English. Other languages have the same type. */
export const en = {
  /** The server tells of problems in English. */
  problems: undefined as ProblemWords | undefined,
  product: 'Belvedere',
  cancel: 'Cancel',
  passwordField: { showPassword: 'Show password', hidePassword: 'Hide password' },
  sharing: {
    record: 'Owner and verification…',
    share: 'Share',
    menu: 'Share…',
    folder: 'Share folder',
    all: 'Share all dashboards',
  },
  actions: {
    more: 'More actions',
    of: (title: string) => `Actions for ${title}`,
    open: 'Open',
    rename: 'Rename',
    renameMenu: 'Rename…',
    renameTitle: (title: string) => `Rename “${title}”`,
    moveMenu: 'Move…',
    moveTitle: (title: string) => `Move “${title}”`,
    duplicate: 'Duplicate',
    copyOf: (title: string) => `${title} (copy)`,
    editCopy: 'Edit a copy',
    trash: 'Move to trash',
  },
  errors: {
    notFoundTitle: 'Page not found',
    notFoundText: 'This page does not exist, or you do not have access to it.',
    noAccountsTitle: 'Accounts needed',
    noAccountsText:
      'This page is for teams, and this Belvedere has no accounts. Start it with `belvedere serve` to have them.',
    goHome: 'Go to Home',
    brokenTitle: 'Something went wrong',
    brokenText: 'An unexpected error occurred. Your data is not affected.',
    reload: 'Reload',
    unreachable: 'Cannot reach Belvedere. Is it still running?',
  },
  editing: { line: (line: number, column: number) => `line ${line}, column ${column}` },
  ...shellEn,
  ...homeEn,
  ...dashboardEn,
  ...filtersEn,
  ...tileEn,
  ...downloadsEn,
  ...dataEn,
  ...sourcesEn,
  ...importOptionsEn,
};

export type Messages = typeof en;
