import type { CountedTable, ExportRows } from '@belvedere/api';
import { createStore } from 'zustand/vanilla';

/** An export that waits for the choice of its tables' rows. */
export interface ExportQuestion {
  readonly format: 'pdf' | 'xlsx';
  /** The tables of which the file would not have all rows. */
  readonly tables: readonly CountedTable[];
  readonly onExport: (rows: ExportRows) => void;
}

export const exportQuestion = createStore<{ readonly asked: ExportQuestion | undefined }>(() => ({
  asked: undefined,
}));

export function askForRows(asked: ExportQuestion): void {
  exportQuestion.setState({ asked });
}

export function closeExportQuestion(): void {
  exportQuestion.setState({ asked: undefined });
}
