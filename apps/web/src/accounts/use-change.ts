import { useChange as useChangeOf, type Change } from '../data/use-change.ts';
import { refreshAccounts } from './account-data.ts';

/** Makes changes to what belongs to accounts and settings. */
export const useChange = (): Change => useChangeOf(refreshAccounts);
