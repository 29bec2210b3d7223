import type { ModelSummary } from '@belvedere/api';
import { isMeasureField, type FieldFacts } from '@belvedere/query';
import { SearchField } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useDragSource } from '../../editor/canvas/drag-and-drop.ts';
import { matchesSearch, type FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { AddFieldButton } from '../../model-editor/calculated-fields/AddFieldButton.tsx';
import type { findColumns } from './explore-document.ts';
import { ExploreTile } from './ExploreTile.tsx';

interface ExploreFieldsProps {
  readonly editor: DashboardEditor;
  readonly profiles: FieldProfiles;
  readonly model: ModelSummary | undefined;
  readonly columns: ReturnType<typeof findColumns>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onPut: (field: FieldFacts) => void;
}

/**
 * The fields of a model with their values. They scroll by themselves beside the chart, and come after it where
 * there is no room beside it.
 */
export function ExploreFields({
  editor,
  profiles,
  model,
  columns,
  search,
  onSearch,
  onPut,
}: ExploreFieldsProps) {
  const measures = profiles.fields.filter(field => isMeasureField(field) && matchesSearch(field, search));
  return (
    <aside
      aria-label={words.explore.fields}
      className="-m-1 flex w-[308px] shrink-0 flex-col gap-3 p-1 max-lg:order-3 max-lg:m-0 max-lg:w-full max-lg:p-0 lg:sticky lg:top-12 lg:h-[calc(100dvh-var(--spacing)*14)] lg:overflow-y-auto"
    >
      <SearchField label={words.explore.find} value={search} onChange={onSearch} />
      {model ? <AddFieldButton model={model} onAdded={() => onSearch('')} /> : null}
      {measures.length > 0 ? (
        <section aria-label={words.add.measures}>
          <h2 className="pb-1 text-11 text-text-3">{words.add.measures}</h2>
          <div className="flex max-h-40 flex-wrap gap-1 overflow-y-auto">
            {measures.map(field => (
              <MeasureButton key={field.name} field={field} onPut={() => onPut(field)} />
            ))}
          </div>
        </section>
      ) : null}
      {columns.shown.map(({ field, tile, height }) => (
        <div key={field.name} className="flex shrink-0 flex-col gap-1" data-column={field.name}>
          <div style={{ height }}>
            <ExploreTile id={tile} editor={editor} />
          </div>
          <PutButton field={field} onPut={() => onPut(field)} />
        </div>
      ))}
      {columns.more > 0 ? <p className="text-12 text-text-2">{words.explore.more(columns.more)}</p> : null}
    </aside>
  );
}

/** Adds a field to the chart, by a click or by dragging it onto a shelf. */
function PutButton({ field, onPut }: { readonly field: FieldFacts; readonly onPut: () => void }) {
  return (
    <button
      type="button"
      {...useDragSource({ field: field.name })}
      data-field={field.name}
      onClick={onPut}
      // At the start, because the tile's tools are at the other end.
      className="flex h-6 max-w-full cursor-grab items-center gap-1 self-start rounded-control px-1.5 text-11 text-text-2 select-none hover:bg-hover hover:text-text pointer-coarse:h-11"
    >
      <Plus size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{words.explore.put(field.label)}</span>
    </button>
  );
}

/** A measure to be put into the chart. */
function MeasureButton({ field, onPut }: { readonly field: FieldFacts; readonly onPut: () => void }) {
  return (
    <button
      type="button"
      {...useDragSource({ field: field.name })}
      data-field={field.name}
      onClick={onPut}
      aria-label={words.explore.put(field.label)}
      title={field.description}
      className="flex h-6 max-w-full cursor-grab items-center gap-1.5 rounded-control border border-border bg-surface px-1.5 text-12 select-none hover:border-border-strong hover:bg-hover pointer-coarse:h-11 pointer-coarse:px-2.5"
    >
      <Plus size={12} aria-hidden className="shrink-0 text-text-3" />
      <span className="truncate">{field.label}</span>
    </button>
  );
}
