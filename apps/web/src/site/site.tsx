import '../no-eval.ts';
import '@belvedere/ui/theme.css';
import '../page.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { setUiTexts } from '@belvedere/ui';
import { CalendarContext } from '../dashboard/chart/calendar.ts';
import { requestShapes } from '../dashboard/chart/use-map-shapes.ts';
import { speak, t } from '../messages/messages.ts';
import { siteParts, siteState } from './site-client.ts';
import type { SiteDashboard, SiteDashboardData, SitePageData } from './site-data.ts';
import { SiteDashboardPage } from './SiteDashboardPage.tsx';
import { SiteHome } from './SiteHome.tsx';

/** A page of a static site (`belvedere build`). */
async function start(): Promise<void> {
  const page = JSON.parse(document.getElementById('belvedere-site')!.textContent) as SitePageData;
  await speak(page.locale);
  setUiTexts({ close: t.downloads.close, ...t.passwordField });
  const content =
    page.kind === 'home' ? (
      <SiteHome data={page} />
    ) : (
      await dashboardPage(page).catch(() => (
        <p role="alert" className="p-6">
          {t.site.failed}
        </p>
      ))
    );
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })}
      >
        {content}
      </QueryClientProvider>
    </StrictMode>,
  );
}

async function dashboardPage(page: SiteDashboardData): Promise<ReactNode> {
  const address = new URL(page.dashboard, location.href).href;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const data = (await response.json()) as SiteDashboard;
  for (const [shape, map] of Object.entries(data.maps)) requestShapes(shape, map);
  const parts = siteParts(data, address);
  const search = Object.fromEntries(new URLSearchParams(location.search));
  return (
    <CalendarContext value={data.dashboard.calendar}>
      <SiteDashboardPage
        page={page}
        data={data}
        parts={parts}
        first={await siteState(search, parts, data.indexes)}
      />
    </CalendarContext>
  );
}

void start();
