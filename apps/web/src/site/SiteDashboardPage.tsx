import { searchFromState, type DashboardState } from '@belvedere/api';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { offlineClientOf, type OfflineParts } from '../offline/offline-client.ts';
import { OfflineDashboard } from '../offline/OfflinePage.tsx';
import { DashboardStore } from '../live/dashboard-store.ts';
import { t } from '../messages/messages.ts';
import { siteFilters, siteState, type SiteState } from './site-client.ts';
import type { SiteDashboard, SiteDashboardData } from './site-data.ts';
import { SiteBar } from './SiteBar.tsx';

interface SiteDashboardPageProps {
  readonly page: SiteDashboardData;
  readonly data: SiteDashboard;
  readonly parts: OfflineParts;
  /** The state in the URL. */
  readonly first: SiteState;
}

/** A dashboard of a site. Its page and selection are in the address, so that they can be shared, and Back works. */
export function SiteDashboardPage({ page, data, parts, first }: SiteDashboardPageProps) {
  const [live] = useState(
    () => new DashboardStore(offlineClientOf(parts), data.dashboard, first.state, { selectsOne: true }),
  );
  const filters = useMemo(() => siteFilters(data, parts), [data, parts]);
  const [refused, setRefused] = useState(first.refused);
  const onState = useCallback((state: DashboardState) => {
    const search = new URLSearchParams(searchFromState(state)).toString();
    const address = search === '' ? location.pathname : `?${search}`;
    if (new URL(address, location.href).href !== location.href) history.pushState(null, '', address);
    setRefused([]);
  }, []);
  useEffect(() => {
    const onPop = async () => {
      const search = Object.fromEntries(new URLSearchParams(location.search));
      const next = await siteState(search, parts, data.indexes);
      live.setState(next.state);
      setRefused(next.refused);
    };
    const listener = () => void onPop();
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, [live, parts, data]);
  const labelOf = (field: string) =>
    data.dashboard.models.flatMap(model => model.dimensions).find(({ name }) => name === field)?.label ??
    field;
  return (
    <>
      <SiteBar title={page.site} home={page.root} />
      <OfflineDashboard
        data={data}
        live={live}
        onState={onState}
        filters={filters}
        notice={
          refused.length > 0 ? (
            <p role="status" className="mb-2 text-13 text-text-2">
              {t.site.noFilter(refused.map(labelOf).join(', '))}
            </p>
          ) : null
        }
      />
    </>
  );
}
