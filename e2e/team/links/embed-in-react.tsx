import type { Filters } from '@belvedere/embed';
import { Dashboard } from '@belvedere/embed/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

/* A site in React, bundled by the test: `address` is that of the frame's page. */

declare const address: string;

function Site() {
  const [filters, setFilters] = useState<Filters>();
  const [isDark, setIsDark] = useState(false);
  const [isShown, setIsShown] = useState(true);
  const [heard, setHeard] = useState<readonly string[]>([]);
  const hear = (name: string) => (detail?: unknown) =>
    setHeard(before => [...before, `${name}: ${JSON.stringify(detail ?? null)}`]);
  return (
    <>
      <button onClick={() => setFilters({ kind: { oneOf: ['shop'] } })}>Shop</button>
      <button onClick={() => setIsDark(true)}>Dark</button>
      <button onClick={() => setIsShown(false)}>Leave</button>
      {isShown ? (
        <Dashboard
          src={address}
          title="Orders in React"
          theme={isDark ? 'dark' : 'light'}
          getToken={() => fetch('/token').then(response => response.text())}
          {...(filters && { filters })}
          onOpen={hear('open')}
          onFilters={hear('filters')}
          onSelection={hear('selection')}
          onDataTime={hear('data-time')}
          onSize={hear('size')}
          onError={hear('error')}
        />
      ) : null}
      <pre id="heard">{heard.join('\n')}</pre>
    </>
  );
}

const root = document.createElement('div');
document.body.replaceChildren(root);
createRoot(root).render(
  <StrictMode>
    <Site />
  </StrictMode>,
);
