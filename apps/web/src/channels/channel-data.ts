import type { DeliveryState } from '@belvedere/api';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client } from '../data/server.ts';

export type DeliveryFilter = 'all' | 'open' | 'failed' | DeliveryState;

/** Under the key of accounts, whose changes fetch everything again. */
export const useChannels = () =>
  useQuery({
    queryKey: ['accounts', 'channels'],
    queryFn: ({ signal }) => client.listChannelSettings({}, { signal }),
    staleTime: 0,
  });

/** The names, kinds and states of the channels, for those who send messages to them. */
export const useChannelNames = () =>
  useQuery({
    queryKey: ['accounts', 'channel-names'],
    queryFn: ({ signal }) => client.listChannels({}, { signal }),
    staleTime: 0,
  });

/** Deliveries, newest first, in pages; fetched again every few seconds while the page is visible. */
export const useDeliveries = (filter: DeliveryFilter, channel: string | undefined) =>
  useInfiniteQuery({
    queryKey: ['accounts', 'deliveries', filter, channel],
    queryFn: ({ signal, pageParam }) =>
      client.listDeliveries(
        {
          query: {
            limit: 50,
            ...(filter !== 'all' && { state: filter }),
            ...(channel !== undefined && { channel }),
            cursor: pageParam,
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
    staleTime: 0,
  });
