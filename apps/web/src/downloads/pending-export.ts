import type { CountedTable, ExportRows } from '@belvedere/api';
import { createStore } from 'zustand/vanilla';

/** An export that waits for the choice of its tables' rows. */
export interface PendingExport {
  readonly format: 'pdf' | 'xlsx';
  /** Tables with more rows than the file would contain. */
  readonly tables: readonly CountedTable[];
  readonly onExport: (rows: ExportRows) => void;
}

export const pendingExport = createStore<{ readonly current: PendingExport | undefined }>(() => ({
  current: undefined,
}));

/** Opens the dialog that lets the user choose the rows. */
export function chooseRows(current: PendingExport): void {
  pendingExport.setState({ current });
}

export function cancelPendingExport(): void {
  pendingExport.setState({ current: undefined });
}
