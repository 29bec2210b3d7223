import type { Permissions } from '../data/session/permissions.ts';
import { createStore } from 'zustand/vanilla';

/** Whether the dialog is open in which an admin chooses as whom to view. */
export const viewAsDialog = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function openViewAs(): void {
  viewAsDialog.setState({ isOpen: true });
}

export function closeViewAs(): void {
  viewAsDialog.setState({ isOpen: false });
}

/** Whether the user may view as others with accounts: an admin of a team, unless they do so already. */
export const mayViewAs = ({ team, administer }: Permissions): boolean => team && administer;
