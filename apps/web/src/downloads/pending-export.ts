import type { CountedTable, ExportRows } from '@belvedere/api';
import type { FileFormat } from './download-store.ts';
import { createStore } from 'zustand/vanilla';

/** An export that waits for the choice of its tables' rows. */
export interface PendingExport {
  readonly format: Exclude<FileFormat, 'png' | 'svg'>;
  /** The tables of which the file would not have all rows. */
  readonly tables: readonly CountedTable[];
  /** How many rows of each the user may export; infinity without a limit. */
  readonly limit: number;
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
