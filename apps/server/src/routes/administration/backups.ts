import type { backupEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { Backups } from '../../backup/backups.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** Endpoints for the backups that the server makes. */
export function backupRoutes(
  backups: Backups,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): Pick<Handlers, keyof typeof backupEndpoints> {
  return {
    getBackups: () => backups.status(),
    saveBackups: async ({ body, ...call }) => {
      // A backup holds the hashes of passwords and the secrets of the instance.
      requireConfirmation(call.caller);
      await backups.change(body);
      const { isOn, at, kept, folder } = await backups.status();
      await note(call, 'backups.change', 'backups', isOn ? `${at}; ${kept}; ${folder}` : 'off');
      return {};
    },
    startBackup: async call => {
      await backups.startNow();
      await note(call, 'backups.start', 'backups');
      return {};
    },
  };
}
