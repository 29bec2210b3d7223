import type { Backup } from './document-editor.ts';

const key = (id: string) => `belvedere-draft:${id}`;

/**
 * In the browser itself, for as long as the server has not got it. Where that is not allowed, the open page
 * is all there is.
 */
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
