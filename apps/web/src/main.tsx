import './no-eval.ts';
import { retryChunksWhile, missingChunks, setUiTexts } from '@belvedere/ui';
import '@belvedere/ui/theme.css';
import './page.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connection } from './data/connection.ts';
import { queryClient, takeBootstrapData } from './data/server.ts';
import { openAhead } from './live/open-live.ts';
import { loadMessages, t } from './messages/messages.ts';
import { router } from './router.tsx';

connection.open();
retryChunksWhile(connection.answers);
connection.onAnswer(missingChunks.tryAgain);
const dashboard = takeBootstrapData();
if (dashboard) openAhead(dashboard);
// With both there the first picture is of the screen itself.
await Promise.all([loadMessages(), router.load()]);
setUiTexts({ close: t.taking.close });
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
