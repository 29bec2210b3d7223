import type { Backup } from './document-editor.ts';

const key = (id: string) => `belvedere-draft:${id}`;

/** Keeps a draft in the browser until the server has it. If storage is blocked, only the open page has it. */
export const draftBackup: Backup = {
  read: id => {
    try {
      return JSON.parse(localStorage.getItem(key(id)) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  },
  write: (id, backup) => {
    try {
      localStorage.setItem(key(id), JSON.stringify(backup));
    } catch {
      // Full, or forbidden.
    }
  },
  drop: id => {
    try {
      localStorage.removeItem(key(id));
    } catch {
      // As above.
    }
  },
};
