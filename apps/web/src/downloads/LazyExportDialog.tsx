import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { exportQuestion } from './export-question.ts';

const ExportDialog = lazyComponent(() => import('./ExportDialog.tsx').then(module => module.ExportDialog));

/** The export dialog while an export waits for an answer. */
export function LazyExportDialog() {
  const { asked } = useSyncExternalStore(exportQuestion.subscribe, exportQuestion.getState);
  return asked ? (
    <LazyBoundary fallback={null}>
      <ExportDialog {...asked} />
    </LazyBoundary>
  ) : null;
}
