import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isPlainPage } from '../data/session/next-address.ts';
import { Shell } from './Shell.tsx';

/** The shell around every screen but those for signing in. */
export function Root() {
  const isPlain = useRouterState({ select: state => isPlainPage(state.location.pathname) });
  return isPlain ? (
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  ) : (
    <Shell />
  );
}
