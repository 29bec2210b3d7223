import type { RowsPage } from '@belvedere/api';
import { isNumeric, type DataType } from '@belvedere/model';
import { t } from '../../../messages/messages.ts';
import { Cell } from './Cell.tsx';

interface TotalRowProps {
  /** The shown columns, with their positions in the rows. */
  readonly shown: readonly { readonly column: RowsPage['columns'][number]; readonly position: number }[];
  readonly totals: NonNullable<RowsPage['totals']>;
  readonly formats: Readonly<Record<string, string | undefined>>;
  /** Px from the start at which the first columns stay while others are scrolled. */
  readonly pinned: readonly number[];
  readonly hasComments: boolean;
}

/** The totals of a table of measures, below its rows. */
export function TotalRow({ shown, totals, formats, pinned, hasComments }: TotalRowProps) {
  return (
    <tfoot className="sticky bottom-0 bg-surface font-semibold">
      <tr>
        {shown.map(({ column, position }, i) => {
          const total = totals[position]!;
          return (
            <td
              key={column.name}
              className={`tabular h-7 border-t border-border-strong px-2 ${isNumeric(column.type as DataType) ? 'text-end' : ''} ${i < pinned.length ? 'sticky bg-surface' : ''}`}
              style={{ insetInlineStart: pinned[i] }}
            >
              {total !== null ? (
                <Cell value={total} type={column.type} format={column.format ?? formats[column.name]} />
              ) : i === 0 ? (
                t.pivot.total
              ) : null}
            </td>
          );
        })}
        {hasComments ? <td data-row-comment className="no-print border-t border-border-strong" /> : null}
      </tr>
    </tfoot>
  );
}
