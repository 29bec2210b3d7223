import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { pendingExport } from './pending-export.ts';

const ExportDialog = lazyComponent(() => import('./ExportDialog.tsx').then(module => module.ExportDialog));

/** The export dialog, while an export waits for the choice of its rows. */
export function LazyExportDialog() {
  const { current } = useSyncExternalStore(pendingExport.subscribe, pendingExport.getState);
  return current ? (
    <LazyBoundary fallback={null}>
      <ExportDialog {...current} />
    </LazyBoundary>
  ) : null;
}
