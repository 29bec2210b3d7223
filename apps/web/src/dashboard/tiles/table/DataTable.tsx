import type { Field } from '@belvedere/api';
import { dataTableRows } from '@belvedere/chart';
import type { Picture } from '../../../live/live-tile.ts';
import { locale, t } from '../../../messages/messages.ts';
import { exactDigits, full } from '../describe.ts';

const maxRows = 1000;

/** The same numbers as the picture, as a table. */
export function DataTable({
  picture,
  measures,
  title,
  labelOf,
}: {
  readonly picture: Picture;
  readonly measures: readonly Field[];
  readonly title: string;
  readonly labelOf: (field: string) => string;
}) {
  const rows = dataTableRows(picture.axes, picture.values, measures.length, locale);
  return (
    <div className="size-full overflow-auto" tabIndex={0} role="region" aria-label={t.table.region(title)}>
      <table className="w-full text-12">
        <thead className="sticky top-0 bg-surface text-start text-text-2">
          <tr>
            {picture.axes.map((axis, i) => (
              <th key={i} className="h-7 border-b border-border px-2 text-start font-medium">
                {labelOf(axis.field)}
              </th>
            ))}
            {measures.map(measure => (
              <th key={measure.name} className="border-b border-border px-2 text-end font-medium">
                {measure.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map(row => (
            <tr key={row.group}>
              {row.names.map((name, i) => (
                <td key={i} className="h-7 border-b border-border px-2">
                  {name}
                </td>
              ))}
              {row.values.map((value, i) => (
                <td
                  key={i}
                  className="tabular border-b border-border px-2 text-end"
                  title={exactDigits(value, measures[i]!)}
                >
                  {full(value, measures[i]!)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
