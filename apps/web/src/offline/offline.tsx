import '@belvedere/ui/theme.css';
import '../page.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { speak } from '../messages/messages.ts';
import type { OfflineData } from './offline-data.ts';
import { CalendarContext } from '../dashboard/chart/calendar.ts';
import { requestShapes } from '../dashboard/chart/use-map-shapes.ts';
import { OfflinePage } from './OfflinePage.tsx';

/** Starts the page of a dashboard that was exported as one HTML file. */
async function start(): Promise<void> {
  const data = JSON.parse(document.getElementById('belvedere-data')!.textContent) as OfflineData;
  document.documentElement.dataset['theme'] = data.theme;
  // The theme of the export, whatever the viewer's system prefers.
  document.documentElement.dataset['offline'] = '';
  for (const [shape, map] of Object.entries(data.maps)) requestShapes(shape, map);
  await speak(data.locale);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })}
      >
        <CalendarContext value={data.dashboard.calendar}>
          <OfflinePage data={data} />
        </CalendarContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
