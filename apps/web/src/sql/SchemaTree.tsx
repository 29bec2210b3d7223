import { formatNumber } from '@belvedere/chart';
import { SearchField } from '@belvedere/ui';
import { Table } from 'lucide-react';
import { useState } from 'react';
import { typeGlyphs } from '../editor/kinds.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import type { SchemaTable } from '../modelling/modelling.ts';

const mostTables = 200;

/** The source's tables and their columns; a click writes a name where the cursor is. */
export function SchemaTree({ tables, onName }: { readonly tables: readonly SchemaTable[]; readonly onName: (name: string) => void }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = tables.filter(table => table.name.toLowerCase().includes(wanted) || table.columns.some(column => column.name.toLowerCase().includes(wanted)));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-3">
      <SearchField label={words.sql.findTable} value={search} onChange={setSearch} />
      {found.slice(0, mostTables).map(table => (
        <details key={table.name} open={tables.length === 1 || (wanted !== '' && found.length < 5)}>
          <summary className="flex h-7 items-center gap-2 rounded-control px-1 text-13 hover:bg-hover pointer-coarse:h-11">
            <Table size={13} aria-hidden className="shrink-0 text-text-3" />
            <button type="button" className="min-w-0 truncate font-medium hover:underline" onClick={event => { event.preventDefault(); onName(table.name); }}>{table.name}</button>
            {table.rows === undefined ? null : <span className="tabular ms-auto text-11 text-text-3">{formatNumber(table.rows, 'integer', locale, 'label')}</span>}
          </summary>
          <ul className="ps-4">
            {table.columns.map(column => (
              <li key={column.name}>
                <button type="button" onClick={() => onName(column.name)} className="flex h-6 w-full items-center gap-2 rounded-control px-1 text-start text-12 hover:bg-hover pointer-coarse:h-11">
                  <span aria-hidden className="w-4 shrink-0 text-center font-mono text-11 text-text-3">{typeGlyphs[column.type] ?? '?'}</span>
                  <span className="truncate">{column.name}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {found.length > mostTables ? <p className="text-12 text-text-2">{words.explore.more(found.length - mostTables)}</p> : null}
    </div>
  );
}
