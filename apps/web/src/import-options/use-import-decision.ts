import type { ImportOptions, TableDetail } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client, queryClient } from '../data/server.ts';
import { locale, t } from '../messages/messages.ts';

export interface ImportDecision {
  readonly isChecking: boolean;
  /** What the last decision would lose, in sentences, or why that is not known. It is saved once confirmed. */
  readonly losses: readonly string[];
  /** Counts what would be lost, and saves if that is nothing. */
  readonly decide: (reading: ImportOptions) => void;
  /** Saves at once. */
  readonly confirm: (reading: ImportOptions) => void;
  readonly reset: () => void;
}

/** Whether a table is imported now or soon: its questions are those of the import before. */
export const isImporting = ({ state }: TableDetail): boolean => state === 'waiting' || state === 'importing';

/** Saves import options of a table, after showing the rows and values that they would lose. */
export function useImportDecision(table: TableDetail, onSaved?: () => void): ImportDecision {
  const [isChecking, setIsChecking] = useState(false);
  const [losses, setLosses] = useState<readonly string[]>([]);
  const check = useRef<AbortController>(undefined);
  const reset = () => {
    check.current?.abort();
    setIsChecking(false);
    setLosses([]);
  };
  useEffect(() => () => check.current?.abort(), []);
  const save = async (reading: ImportOptions) => {
    check.current?.abort();
    try {
      await client.setImportOptions({ params: { table: table.name }, body: reading });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onSaved?.();
    } catch (error) {
      setLosses([problemText(error)]);
    }
    setIsChecking(false);
  };
  const lossesOf = async (reading: ImportOptions, signal: AbortSignal) => {
    try {
      return lossesIn(
        table,
        await client.previewImportOptions({ params: { table: table.name }, body: reading }, { signal }),
      );
    } catch (error) {
      return [problemText(error)];
    }
  };
  const decide = async (reading: ImportOptions) => {
    reset();
    const { signal } = (check.current = new AbortController());
    setIsChecking(true);
    const found = await lossesOf(reading, signal);
    if (signal.aborted) return;
    if (found.length === 0) return save(reading);
    setIsChecking(false);
    setLosses(found);
  };
  return {
    isChecking,
    losses,
    decide: reading => void decide(reading),
    confirm: reading => void save(reading),
    reset,
  };
}

/** Sentences on rows and values that are kept now and would be lost. */
function lossesIn(
  table: TableDetail,
  preview: Awaited<ReturnType<typeof client.previewImportOptions>>,
): string[] {
  const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
  const now = new Map(table.report?.nulled?.map(({ column, values }) => [column, values]));
  const rejected = preview.rowsRejected - (table.report?.rowsRejected ?? 0);
  return [
    ...(rejected > 0 ? [t.importOptions.loss.rows(rejected, count(rejected))] : []),
    ...preview.nulled
      .filter(({ column, values }) => values > (now.get(column) ?? 0))
      .map(({ column, values }) => t.importOptions.loss.values(values, count(values), column)),
  ];
}
