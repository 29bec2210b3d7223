import type { Caller } from '../../access/caller.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { ExternalSettings } from '../../workspace/external-settings.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** @param requireConfirmation throws unless the caller gave the password recently, where there are accounts */
export function externalSettingRoutes(
  external: ExternalSettings,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): Pick<Handlers, 'confirmSetting'> {
  return {
    confirmSetting: async ({ params: { setting }, body, ...call }) => {
      requireConfirmation(call.caller);
      if (!(await external.confirm(setting, body.content)))
        throw new ProblemError('revision-conflict', 'This setting changed in the meantime. Review it again.');
      await note(call, 'setting.confirm', setting);
      return {};
    },
  };
}
