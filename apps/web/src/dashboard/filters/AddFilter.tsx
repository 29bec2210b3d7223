import type { ModelSummary } from '@belvedere/api';
import { Popover, SearchField } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../messages/messages.ts';

interface AddFilterProps {
  readonly models: readonly ModelSummary[];
  /** Fields that have a filter already. */
  readonly taken: ReadonlySet<string>;
  readonly onAdd: (field: string) => void;
}

/** The number of fields from which the list has a search field. */
const searchedFrom = 8;

/** A button that lists the fields by which the viewer may filter as well. */
export default function AddFilter({ models, taken, onAdd }: AddFilterProps) {
  const [search, setSearch] = useState('');
  const fields = new Map(
    models
      .flatMap(model => model.dimensions)
      .filter(({ name, type, isHidden }) => !isHidden && type !== 'other' && !taken.has(name))
      .map(field => [field.name, field]),
  );
  if (fields.size === 0) return null;
  const wanted = search.trim().toLowerCase();
  const found = [...fields.values()].filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <Popover
      label={t.filters.add}
      trigger={
        <>
          <Plus size={14} aria-hidden />
          {t.filters.addShort}
        </>
      }
      triggerClassName={
        'inline-flex h-[30px] items-center gap-1 rounded-control border border-dashed ' +
        'border-border-strong px-2.5 text-13 text-text-2 hover:text-text pointer-coarse:h-11'
      }
    >
      {close => (
        <div className="flex flex-col gap-1">
          {fields.size >= searchedFrom ? (
            <SearchField label={t.filters.searchFields} value={search} onChange={setSearch} />
          ) : null}
          <ul className="flex flex-col">
            {found.map(({ name, label }) => (
              <li key={name}>
                <button
                  type="button"
                  className={
                    'flex min-h-8 w-full items-center rounded-control px-2 text-start text-13 hover:bg-hover ' +
                    'pointer-coarse:min-h-11'
                  }
                  onClick={() => {
                    setSearch('');
                    close();
                    onAdd(name);
                  }}
                >
                  <span className="truncate">{label}</span>
                </button>
              </li>
            ))}
          </ul>
          {found.length === 0 ? <p className="px-2 py-1 text-12 text-text-2">{t.filters.noField}</p> : null}
        </div>
      )}
    </Popover>
  );
}
