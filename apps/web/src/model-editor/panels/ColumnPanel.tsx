import { isNumeric, type DataType } from '@belvedere/model';
import { SearchField } from '@belvedere/ui';
import { Check, Plus, Sigma } from 'lucide-react';
import { useState } from 'react';
import { useEditor } from '../../editor/state/editing.ts';
import { typeGlyphs } from '../../editor/encoding/kinds.ts';
import { words } from '../../editor/messages/words.ts';
import { columnsNamed, freeEntry, useModelEditing, type SchemaColumn } from '../model-editing.ts';
import { inExpression } from '../expressions/in-expression.ts';

/** So many columns are listed at once; others are found by their names. */
const maxColumns = 200;

/** The table's columns, and those of its joins: taken into the model by a click, added up by another. */
export function ColumnPanel() {
  const { editor, columns } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const [search, setSearch] = useState('');
  const used = columnsNamed(document);
  const found = columns.filter(column => column.name.toLowerCase().includes(search.trim().toLowerCase()));
  const take = (column: SchemaColumn) => {
    const name = freeEntry(column.name.replace('.', '_'), document.dimensions);
    if (
      editor.apply(words.model.steps.add, [
        {
          kind: 'set',
          path: ['dimensions', name],
          value: name === column.name ? {} : { column: column.name },
        },
      ])
    )
      editor.select(`dimensions.${name}`);
  };
  const addUp = (column: SchemaColumn) => {
    const name = freeEntry(column.name.replace('.', '_'), document.measures);
    if (
      editor.apply(words.model.steps.add, [
        { kind: 'set', path: ['measures', name], value: { expr: `sum(${inExpression(column.name)})` } },
      ])
    )
      editor.select(`measures.${name}`);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-3">
      <SearchField label={words.model.findColumn} value={search} onChange={setSearch} />
      <p className="text-11 text-text-3">{words.model.columnsHint}</p>
      <ul>
        {found.slice(0, maxColumns).map(column => {
          const isUsed = used.has(column.name);
          return (
            <li key={column.name} className="flex items-center gap-1">
              <button
                type="button"
                data-column={column.name}
                disabled={isUsed}
                onClick={() => take(column)}
                title={isUsed ? words.model.isUsed(column.name) : words.model.take(column.name)}
                className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control px-1.5 text-start text-13 enabled:hover:bg-hover disabled:text-text-3 pointer-coarse:h-11"
              >
                <span aria-hidden className="w-5 shrink-0 text-center font-mono text-11 text-text-3">
                  {typeGlyphs[column.type] ?? '?'}
                </span>
                <span className="min-w-0 flex-1 truncate">{column.name}</span>
                {isUsed ? (
                  <Check size={13} aria-hidden className="shrink-0" />
                ) : (
                  <Plus size={13} aria-hidden className="shrink-0 text-text-3" />
                )}
              </button>
              {isNumeric(column.type as DataType) ? (
                <button
                  type="button"
                  aria-label={words.model.addUp(column.name)}
                  title={words.model.addUp(column.name)}
                  onClick={() => addUp(column)}
                  className="flex size-7 shrink-0 items-center justify-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"
                >
                  <Sigma size={13} aria-hidden />
                </button>
              ) : null}
            </li>
          );
        })}
      </ul>
      {found.length > maxColumns ? (
        <p className="text-12 text-text-2">{words.explore.more(found.length - maxColumns)}</p>
      ) : null}
    </div>
  );
}
