import { client, queryClient } from '../data/server.ts';
import { announceRemoved } from './download-store.ts';

/**
 * Says that something was moved to the trash, and offers to undo that.
 *
 * @param number of the entry in the trash
 */
export async function offerRestore(title: string, number: number): Promise<void> {
  announceRemoved(title, () => client.restoreDocument({ params: { number } }).then(refreshAll));
  await queryClient.invalidateQueries({ queryKey: ['workspace'] });
}

/** Alerts and reports have lists of their own. */
async function refreshAll(): Promise<void> {
  await queryClient.invalidateQueries();
}
