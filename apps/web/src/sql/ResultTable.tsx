import type { Client } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Cell } from '../dashboard/tiles/table/Cell.tsx';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';

export type SqlResult = Awaited<ReturnType<Client['runSql']>>;

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
/** The number of rows that are rendered, since a browser lays out more only with a delay. */
const maxRows = 500;

/** A result's rows, in their order. */
export function ResultTable({ result }: { readonly result: SqlResult }) {
  const { columns, rows } = result;
  return (
    <div className="h-full overflow-auto" tabIndex={0} role="region" aria-label={words.sql.results}>
      <table className="text-12">
        <thead className="sticky top-0 z-10 bg-surface text-text-2">
          <tr>
            {columns.map(({ name, type }, i) => (
              <th
                key={i}
                className={`h-8 border-b border-border px-3 font-medium whitespace-nowrap ${isNumber(type) ? 'text-end' : 'text-start'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, i) => (
            <tr key={i} className="hover:bg-hover">
              {row.map((value, j) => (
                <td
                  key={j}
                  className={`tabular max-w-96 truncate border-b border-border px-3 py-1 whitespace-nowrap ${isNumber(columns[j]!.type) ? 'text-end' : ''}`}
                >
                  <Cell value={value} type={columns[j]!.type} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows ? (
        <p className="p-3 text-12 text-text-2">{words.sql.shownOf(count(maxRows), count(rows.length))}</p>
      ) : null}
    </div>
  );
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'decimal' || type === 'number';
}
