import { LazyBoundary } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { lazyWithWords } from '../accounts/lazy-with-words.ts';
import { viewAsDialog } from './view-as-dialog.ts';

const ViewAsDialog = lazyWithWords(() => import('./ViewAsDialog.tsx').then(module => module.ViewAsDialog));

/** The dialog in which an admin chooses as whom to view, while it is open. */
export function LazyViewAsDialog() {
  const { isOpen } = useSyncExternalStore(viewAsDialog.subscribe, viewAsDialog.getState);
  return isOpen ? (
    <LazyBoundary fallback={null}>
      <ViewAsDialog />
    </LazyBoundary>
  ) : null;
}
