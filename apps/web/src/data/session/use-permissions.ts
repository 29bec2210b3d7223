import { useMemo } from 'react';
import { permissionsOf, type Permissions } from './permissions.ts';
import { useSession } from '../server.ts';
import { viewedAs } from './view-as.ts';

/** What the interface offers this user. */
export function usePermissions(): Permissions {
  const { data } = useSession();
  return useMemo(() => permissionsOf(data, viewedAs !== undefined), [data]);
}
