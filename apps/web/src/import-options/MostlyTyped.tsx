import type { TableDetail } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Button } from '@belvedere/ui';
import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client, queryClient } from '../data/server.ts';
import { locale, t } from '../messages/messages.ts';
import { isImporting } from './use-import-decision.ts';

interface NearlyTypedProps {
  readonly table: TableDetail;
  readonly nearly: NonNullable<NonNullable<TableDetail['report']>['nearly']>[number];
}

/** A column that is text because of a few values: what they are, and the decision to do without them. */
export function MostlyTyped({ table, nearly: { column, type, fits, misfits, first } }: NearlyTypedProps) {
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const named = t.types[type] ?? type;
  const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
  const said = t.importOptions.nearly(column, named, count(fits), count(fits + misfits));
  const decide = async () => {
    setIsSaving(true);
    try {
      await client.setImportOptions({
        params: { table: table.name },
        body: { ...table.importOptions, columns: { ...table.importOptions?.columns, [column]: type } },
      });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    } catch (error) {
      setProblem(problemText(error));
    }
    setIsSaving(false);
  };
  return (
    <section
      role="group"
      aria-label={said}
      className="flex flex-wrap items-center gap-3 rounded-tile border border-border bg-surface px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p>{said}</p>
        <ul className="list-disc ps-4 text-12 text-text-2">
          {first.map((misfit, i) => (
            <li key={i} className="break-words">
              {t.importOptions.misfit(misfit)}
            </li>
          ))}
          {misfits > first.reduce((sum, { count: cells = 1 }) => sum + cells, 0) ? <li>…</li> : null}
        </ul>
        {problem ? (
          <p role="alert" className="text-13 text-bad">
            {problem}
          </p>
        ) : null}
      </div>
      <Button onPress={() => void decide()} isDisabled={isSaving || isImporting(table)}>
        {isSaving ? t.uploads.importing : t.importOptions.decide(named, misfits)}
      </Button>
    </section>
  );
}
