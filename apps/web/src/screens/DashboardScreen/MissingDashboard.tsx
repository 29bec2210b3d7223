import { LazyBoundary } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { lazyWithWords } from '../../accounts/lazy-with-words.ts';
import { client } from '../../data/server.ts';
import { NotFoundScreen } from '../ErrorScreens.tsx';

const AskForAccess = lazyWithWords(() =>
  import('../../accounts/requests/AskForAccess.tsx').then(module => module.AskForAccess),
);

/** Leads to the new address of a dashboard that was moved, or says that there is none. */
export function MissingDashboard({ id }: { readonly id: string }) {
  const search = useSearch({ from: '/d/$dashboard' });
  const { data: moved, isPending } = useQuery({
    queryKey: ['moved dashboard', id],
    queryFn: ({ signal }) => client.findMovedDashboard({ params: { id } }, { signal }),
    gcTime: 0,
    retry: false,
  });
  if (isPending) return null;
  if (moved?.id !== undefined && moved.id !== id)
    return (
      <Navigate
        to="/d/$dashboard"
        params={{ dashboard: moved.id }}
        search={search}
        state={{ movedFrom: id }}
        replace
      />
    );
  return (
    <NotFoundScreen>
      <LazyBoundary fallback={null}>
        <AskForAccess dashboard={id} />
      </LazyBoundary>
    </NotFoundScreen>
  );
}
