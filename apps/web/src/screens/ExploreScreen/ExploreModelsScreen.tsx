import { SearchField } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { modelsByOverview } from '../../data/dashboards/models-by-overview.ts';
import { client, useDashboards, useTables } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

/** More models than this can be searched. */
const listed = 8;
/** The number of fields that a line names. */
const named = 6;

/** Lists the models to explore. A workspace of one model opens it at once. */
export function ExploreModelsScreen() {
  const { data, error } = useQuery({
    queryKey: ['workspace', 'models'],
    queryFn: ({ signal }) => client.listModels({}, { signal }),
  });
  const { data: dashboards } = useDashboards();
  const { data: tables } = useTables();
  const [search, setSearch] = useState('');
  if (error) return <ErrorScreen error={error} />;
  const models = modelsByOverview(data?.models ?? [], dashboards?.dashboards ?? []);
  if (models.length === 1)
    return <Navigate to="/explore/$model" params={{ model: models[0]!.name }} search={{}} replace />;
  const isReading = tables?.tables.some(({ state }) => state === 'importing' || state === 'waiting');
  const wanted = search.trim().toLowerCase();
  const shown = models.filter(
    ({ name, label, measures, dimensions }) =>
      wanted === '' ||
      [name, label, ...[...measures, ...dimensions].map(field => field.label)].some(text =>
        text.toLowerCase().includes(wanted),
      ),
  );
  return (
    <div className="mx-auto max-w-[720px] pt-6">
      <HeaderTitle title={t.data.explore}>
        <span className="truncate text-14 font-semibold">{t.data.explore}</span>
      </HeaderTitle>
      <h1 className="text-20 font-semibold tracking-[-0.01em]">{t.data.explore}</h1>
      <p className="pb-4 text-text-2">{t.exploring.hint}</p>
      {models.length > listed ? (
        <div className="pb-3">
          <SearchField label={t.exploring.search} value={search} onChange={setSearch} />
        </div>
      ) : null}
      {data && shown.length === 0 ? (
        <p
          role="status"
          className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2"
        >
          {wanted !== '' ? t.palette.empty : isReading ? t.dashboard.importingTitle : t.exploring.empty}
        </p>
      ) : null}
      {shown.length > 0 ? (
        <ul className="rounded-tile border border-border bg-surface">
          {shown.map(({ name, label, measures, dimensions }) => (
            <li key={name} className="border-b border-border last:border-0">
              <Link
                to="/explore/$model"
                params={{ model: name }}
                search={{}}
                className="block px-3 py-2 hover:bg-hover pointer-coarse:min-h-11"
              >
                <span className="block truncate font-medium">{label}</span>
                <span className="block truncate text-12 text-text-2">
                  {[...measures, ...dimensions]
                    .filter(({ isHidden }) => !isHidden)
                    .slice(0, named)
                    .map(field => field.label)
                    .join(', ')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
