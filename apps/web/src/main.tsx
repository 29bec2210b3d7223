import './no-eval.ts';
import { retryChunksWhile, missingChunks, setUiTexts } from '@belvedere/ui';
import '@belvedere/ui/theme.css';
import './page.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isEmbedPage } from './data/session/guest.ts';
import { connection } from './data/connection/connection.ts';
import { isPlainPage, signInAddress } from './data/session/next-address.ts';
import { queryClient, takeBootstrapData } from './data/server.ts';
import { openPrefetched } from './live/open-live.ts';
import { loadMessages, t } from './messages/messages.ts';
import { router } from './router.tsx';

// Without a session, nothing of this page would be answered.
if ('signedOut' in document.documentElement.dataset && !isPlainPage(location.pathname)) {
  location.replace(signInAddress(location));
  await new Promise(() => {});
}
// Plain pages have no session; after signing in, another page loads.
if (!isPlainPage(location.pathname)) connection.open();
retryChunksWhile(connection.isReachable);
connection.onReachable(missingChunks.tryAgain);
const dashboard = takeBootstrapData();
if (dashboard) openPrefetched(dashboard);
// A site chooses the language of its frame by the token.
const locale = isEmbedPage
  ? await import('./embed/embed-session.ts').then(({ embedSession }) => embedSession.start())
  : undefined;
// With both there the first picture is of the screen itself.
await Promise.all([loadMessages(locale), router.load()]);
setUiTexts({ close: t.downloads.close, ...t.passwordField });
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
