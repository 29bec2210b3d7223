import { startLimits } from '../limits.ts';
import type { Accounts } from '../auth/accounts/accounts.ts';
import { openAccounts } from '../auth/accounts/open-accounts.ts';
import { openStateDatabase } from '../state/database/state-database.ts';
import { WallClock } from '../state/database/wall-clock.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { lockWorkspace } from '../workspace/workspace-lock.ts';

/**
 * Works on the accounts of a workspace while no server has it open.
 *
 * @throws WorkspaceLockedError if one has: it would not see the change
 */
export async function withAccounts<T>(
  { state: folder, stateUrl }: ResolvedWorkspace,
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const hold = await lockWorkspace(folder);
  try {
    const state = await openStateDatabase({ folder, url: stateUrl }, hold.check);
    try {
      const clock = await WallClock.start(state);
      return await work(await openAccounts(state, { limits: startLimits({}), clock, folder, port: () => 0 }));
    } finally {
      await state.close();
    }
  } finally {
    await hold.release();
  }
}
