import { maxExportRows } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Checkbox } from '@belvedere/ui';
import { useState } from 'react';
import { locale, t } from '../messages/messages.ts';
import { cancelPendingExport, type PendingExport } from './pending-export.ts';
import { FormDialog } from '../dialogs/FormDialog.tsx';

/** Asks whether an export contains all rows of its tables, with their numbers of rows. */
export function ExportDialog({ format, tables, limit, onExport }: PendingExport) {
  const [isAll, setIsAll] = useState(false);
  const count = (rows: number) => formatNumber(rows, 'integer', locale, 'full');
  const words = format === 'pdf' || format === 'xlsx' ? t.exporting[format] : undefined;
  /** How many rows the file has of each table, without and with the choice of all. */
  const [few, all] =
    format === 'pdf' ? [0, maxExportRows.pdf] : [maxExportRows.limitedXlsx, maxExportRows.xlsx];
  const title = t.exporting.title(t.formats[format]);
  const isCut =
    format === 'xlsx' && isAll && tables.some(({ rows }) => Math.min(rows, limit) > maxExportRows.xlsx);
  return (
    <FormDialog
      title={title}
      submitLabel={t.exporting.start}
      onSubmit={() => {
        cancelPendingExport();
        onExport(isAll ? 'all' : 'limited');
      }}
      onClose={() => cancelPendingExport()}
    >
      <ul className="flex max-h-60 flex-col gap-1 overflow-auto">
        {tables.map(({ tile, title: name, rows }) => (
          <li key={tile} className="flex justify-between gap-4">
            <span className="truncate">{name}</span>
            <span className="tabular shrink-0 text-text-2">{t.exporting.rows(count(rows))}</span>
          </li>
        ))}
      </ul>
      {words && limit > few ? (
        <>
          <p className="text-text-2">{words.hint(count(few))}</p>
          <Checkbox isSelected={isAll} onChange={setIsAll}>
            {words.all(count(Math.min(all, limit)))}
          </Checkbox>
        </>
      ) : null}
      {tables.some(({ rows }) => rows > limit) ? (
        <p role="status" className="text-12 text-warn">
          {t.exporting.ownLimit(count(limit))}
        </p>
      ) : null}
      {isCut ? (
        <p role="status" className="text-12 text-warn">
          {t.exporting.sheetLimit(count(maxExportRows.xlsx))}
        </p>
      ) : null}
    </FormDialog>
  );
}
