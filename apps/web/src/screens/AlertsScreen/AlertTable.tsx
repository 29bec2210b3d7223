import type { ReactNode } from 'react';

interface AlertTableProps {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table of an alert's groups or changes. On a phone each row is a few lines. */
export function AlertTable({ heads, rows }: AlertTableProps) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={heads.join(', ')}>
      <table className="w-full text-13 max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="text-start text-12 text-text-2">
            {heads.map(head => (
              <th key={head} scope="col" className="px-4 py-1.5 text-start font-normal whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((cells, i) => (
            // eslint-disable-next-line react/no-array-index-key -- The rows never change places.
            <tr
              key={i}
              className="border-t border-border max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:px-4 max-sm:py-2"
            >
              {cells.map((cell, column) => (
                // eslint-disable-next-line react/no-array-index-key -- As above.
                <td
                  key={column}
                  className={
                    'tabular align-top max-sm:last:basis-full sm:px-4 sm:py-1.5 sm:whitespace-nowrap ' +
                    'sm:last:min-w-48 sm:last:whitespace-normal'
                  }
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
