import { formatNumber } from '@belvedere/chart';
import { SearchField } from '@belvedere/ui';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { typeGlyphs } from '../editor/encoding/kinds.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import type { SchemaTable } from '../model-editor/model-editing.ts';

const maxTables = 200;
const fewTables = 3;

/** The source's tables and columns. A click inserts a name at the cursor. */
export function SchemaTree({
  tables,
  onName,
}: {
  readonly tables: readonly SchemaTable[];
  readonly onName: (name: string) => void;
}) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const found = tables.filter(
    table =>
      table.name.toLowerCase().includes(wanted) ||
      table.columns.some(column => column.name.toLowerCase().includes(wanted)),
  );
  // Few tables start expanded, many collapsed.
  const isOpen = (table: SchemaTable) => toggled.has(table.name) !== found.length <= fewTables;
  const toggle = (table: SchemaTable) =>
    setToggled(
      toggled.has(table.name)
        ? toggled.difference(new Set([table.name]))
        : toggled.union(new Set([table.name])),
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-3">
      <SearchField label={words.sql.findTable} value={search} onChange={setSearch} />
      {found.slice(0, maxTables).map(table => (
        <div key={table.name}>
          <div className="flex h-7 items-center gap-1 rounded-control text-13 hover:bg-hover pointer-coarse:h-11">
            <button
              type="button"
              aria-expanded={isOpen(table)}
              aria-label={words.sql.columnsOf(table.name)}
              onClick={() => toggle(table)}
              className="flex size-6 shrink-0 items-center justify-center text-text-3 pointer-coarse:size-11"
            >
              {isOpen(table) ? (
                <ChevronDown size={13} aria-hidden />
              ) : (
                <ChevronRight size={13} aria-hidden className="rtl:rotate-180" />
              )}
            </button>
            <button
              type="button"
              title={table.name}
              className="min-w-0 truncate font-medium hover:underline"
              onClick={() => onName(table.name)}
            >
              {table.name}
            </button>
            {table.rows === undefined ? null : (
              <span className="tabular ms-auto pe-1 text-11 text-text-3">
                {formatNumber(table.rows, 'integer', locale, 'label')}
              </span>
            )}
          </div>
          {isOpen(table) ? (
            <ul className="ps-6">
              {table.columns.map(column => (
                <li key={column.name}>
                  <button
                    type="button"
                    onClick={() => onName(column.name)}
                    className="flex h-6 w-full items-center gap-2 rounded-control px-1 text-start text-12 hover:bg-hover pointer-coarse:h-11"
                  >
                    <span aria-hidden className="w-4 shrink-0 text-center font-mono text-11 text-text-3">
                      {typeGlyphs[column.type] ?? '?'}
                    </span>
                    <span className="truncate">{column.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ))}
      {found.length > maxTables ? (
        <p className="text-12 text-text-2">{words.explore.more(found.length - maxTables)}</p>
      ) : null}
    </div>
  );
}
