import type { AuditEntry, Job, ObjectKind } from '@belvedere/api';
import { folderInAddress } from '@belvedere/api';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client, queryClient } from '../data/server.ts';
import { auditLabels } from './audit/audit-texts.ts';
import { words } from './messages/words.ts';

const key = (...rest: readonly string[]) => ['accounts', ...rest];

/** People join at any moment, also while a list of them is open. */
const whileInvited = (invited: readonly unknown[] = []) => (invited.length > 0 ? 4000 : false);

export const useUsers = () =>
  useQuery({
    queryKey: key('users'),
    queryFn: ({ signal }) => client.listUsers({}, { signal }),
    refetchInterval: query => whileInvited(query.state.data?.invitations),
    staleTime: 0,
  });
export const useGroups = () =>
  useQuery({
    queryKey: key('groups'),
    queryFn: ({ signal }) => client.listGroups({}, { signal }),
    staleTime: 0,
  });
export const useOwnSessions = () =>
  useQuery({
    queryKey: key('sessions'),
    queryFn: ({ signal }) => client.listSessions({}, { signal }),
    staleTime: 0,
  });

/** How the user signs in: with a password, and with accounts of providers. */
export const useIdentities = () =>
  useQuery({
    queryKey: key('identities'),
    queryFn: ({ signal }) => client.listIdentities({}, { signal }),
    staleTime: 0,
  });

/** Whether the user gets mail about comments. */
export const useMailChoice = () =>
  useQuery({
    queryKey: key('mail'),
    queryFn: ({ signal }) => client.getMailChoice({}, { signal }),
    staleTime: 0,
  });

/** What a user may see, and why. */
export const useAccessOf = (userId: string) =>
  useQuery({
    queryKey: key('access', userId),
    queryFn: ({ signal }) => client.getAccessOfUser({ params: { user: userId } }, { signal }),
    staleTime: 0,
  });

/** What each role may do. */
export const usePermissionTable = () =>
  useQuery({
    queryKey: key('permissions'),
    queryFn: ({ signal }) => client.getPermissions({}, { signal }),
  });

/** The access tokens of a user; one's own if undefined. */
export const useTokens = (userId: string | undefined) =>
  useQuery({
    queryKey: key('tokens', ...(userId === undefined ? [] : [userId])),
    queryFn: ({ signal }) =>
      userId === undefined
        ? client.listOwnTokens({}, { signal })
        : client.listTokens({ params: { user: userId } }, { signal }),
    staleTime: 0,
  });

/** The public links of a dashboard. */
export const useLinks = (dashboard: string) =>
  useQuery({
    queryKey: key('links', dashboard),
    queryFn: ({ signal }) => client.listLinks({ params: { id: dashboard } }, { signal }),
    staleTime: 0,
  });
export const useAllLinks = () =>
  useQuery({
    queryKey: key('links'),
    queryFn: ({ signal }) => client.listAllLinks({}, { signal }),
    staleTime: 0,
  });

export const useEmbedKeys = () =>
  useQuery({
    queryKey: key('embed-keys'),
    queryFn: ({ signal }) => client.listEmbedKeys({}, { signal }),
    staleTime: 0,
  });

export const useTwoFactor = () =>
  useQuery({
    queryKey: key('two-factor'),
    queryFn: ({ signal }) => client.getTwoFactor({}, { signal }),
    staleTime: 0,
  });

/** The server's state, fetched again every few seconds while the page is visible. */
export const useSystem = () =>
  useQuery({
    queryKey: key('system'),
    queryFn: ({ signal }) => client.getSystem({}, { signal }),
    refetchInterval: 3000,
    staleTime: 0,
  });

/** The backups that the server makes, fetched again while the page is visible: often while one is made. */
export const useBackups = () =>
  useQuery({
    queryKey: key('backups'),
    queryFn: ({ signal }) => client.getBackups({}, { signal }),
    refetchInterval: query => (query.state.data?.current ? 1500 : 15_000),
    staleTime: 0,
  });

export const useMailServer = () =>
  useQuery({
    queryKey: key('mail-server'),
    queryFn: ({ signal }) => client.getMailServer({}, { signal }),
    staleTime: 0,
  });

/** The providers with which users sign in. */
export const useProviders = () =>
  useQuery({
    queryKey: key('providers'),
    queryFn: ({ signal }) => client.listProviders({}, { signal }),
    staleTime: 0,
  });

interface JobsShown {
  readonly state?: Job['state'] | undefined;
  readonly kind?: string | undefined;
}

export const useJobs = (only: JobsShown) => useInfiniteQuery(jobsQuery(only));

/**
 * The jobs, fetched again while the page is visible: as many requests for a list of many pages as for one, so
 * that the whole list is renewed less often the longer it is.
 */
export const jobsQuery = (only: JobsShown) =>
  infiniteQueryOptions({
    queryKey: key('jobs', JSON.stringify(only)),
    queryFn: ({ signal, pageParam }) =>
      client.listJobs({ query: { ...only, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    refetchInterval: query => 3000 * (query.state.data?.pages.length ?? 1),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** The audit log, newest first, in pages. */
/** Which entries of the audit log are shown. */
export interface AuditFilter {
  readonly search: string;
  readonly action?: string | undefined;
  readonly outcome?: AuditEntry['outcome'] | undefined;
  /** Entries of the last days; all by default. */
  readonly days?: number | undefined;
}

export const useAuditLog = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: key('audit', JSON.stringify(filter)),
    queryFn: ({ signal, pageParam }) =>
      client.listAudit({ query: auditQuery(filter, pageParam) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export function auditQuery(
  { search, action, outcome, days }: AuditFilter,
  cursor: string | undefined,
  limit = 100,
) {
  const from = days === undefined ? undefined : new Date(Date.now() - days * 86_400_000).toISOString();
  const labels = auditLabels(words, search);
  return { limit, ...(search !== '' && { search, labels }), action, outcome, from, cursor };
}

/** Something that can be shared: a dashboard by its ID, a folder by its path, a model or source by its name. */
export interface SharedObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly label: string;
}

export const sharingParams = ({ kind, id }: SharedObject) => ({
  kind,
  object: kind === 'folder' ? folderInAddress(id) : id,
});
export const useSharing = (shared: SharedObject) =>
  useQuery({
    queryKey: key('sharing', shared.kind, shared.id),
    queryFn: ({ signal }) => client.getSharing({ params: sharingParams(shared) }, { signal }),
    refetchInterval: query => whileInvited(query.state.data?.invited),
    staleTime: 0,
  });
export const useSubjects = (search: string, isOn = true) =>
  useQuery({
    queryKey: key('subjects', search),
    queryFn: ({ signal }) => client.findSubjects({ query: { search } }, { signal }),
    enabled: isOn,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Fetches everything about accounts and sharing again, after a change. */
export const refreshAccounts = () => queryClient.invalidateQueries({ queryKey: key() });
