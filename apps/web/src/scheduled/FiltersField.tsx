import type { AlertFile, Path } from '@belvedere/document';
import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useState } from 'react';
import { FilterPill } from '../dashboard/filters/FilterBar.tsx';
import type { ResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';
import { words } from './messages/words.ts';
import type { OnEdit } from './recipient-edits.ts';
import { setKeys } from './set-keys.ts';

const AddFilter = lazyComponent(() =>
  import('../dashboard/filters/AddFilter.tsx').then(module => module.default),
);

type Filters = NonNullable<AlertFile['watch']['filters']>;

interface FiltersFieldProps {
  /** Where the filters are in the text. */
  readonly path: Path;
  readonly filters: Filters | undefined;
  /** The dashboard that is filtered; the fields and values offered are its own. */
  readonly dashboard: ResolvedDashboard;
  /** Whether the text needs the map, even if it is empty. */
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly onEdit: OnEdit;
}

/** Filters of an alert or a report, set with the controls that dashboards have. */
export function FiltersField({
  path,
  filters = {},
  dashboard,
  isRequired = false,
  hint,
  onEdit,
}: FiltersFieldProps) {
  /** Fields that were added here and have no condition yet. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const unset = added.filter(field => !Object.hasOwn(filters, field));
  const locked = (dashboard.document?.filters ?? []).flatMap(({ field, locked: isOn }) =>
    isOn ? [field] : [],
  );
  const set = (field: string, condition: unknown) =>
    onEdit(
      condition === undefined && isRequired
        ? [{ kind: 'remove', path: [...path, field] }]
        : setKeys(path, filters, { [field]: condition }),
      `filter ${path.join('.')} ${field}`,
    );
  return (
    <div role="group" aria-label={words.filters} className="flex flex-col gap-2">
      <span aria-hidden className="text-12 text-text-2">
        {words.filters}
      </span>
      <div className="flex flex-wrap gap-2">
        {[...Object.keys(filters), ...unset].map(field => (
          <FilterPill
            key={field}
            dashboard={dashboard}
            state={{ page: 0, filters, selections: {} }}
            applied={{}}
            dataTime={undefined}
            filter={{ field }}
            opensAtOnce={field === unset.at(-1)}
            onFilter={(_, condition) => {
              set(field, condition ?? undefined);
              if (!condition) setAdded(unset.filter(other => other !== field));
            }}
          />
        ))}
        <LazyBoundary fallback={null}>
          <AddFilter
            models={dashboard.models}
            taken={new Set([...Object.keys(filters), ...unset, ...locked])}
            onAdd={field => setAdded([...unset, field])}
          />
        </LazyBoundary>
      </div>
      {hint === undefined ? null : <p className="text-12 text-text-2">{hint}</p>}
    </div>
  );
}
