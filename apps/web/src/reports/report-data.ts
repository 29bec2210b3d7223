import type { ReportSummary } from '@belvedere/api';
import type { ScheduleFile } from '@belvedere/document';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, queryClient } from '../data/server.ts';
import { viewedAs } from '../data/session/view-as.ts';

const key = ['workspace', 'reports'];
/** Runs and due times change without any event. */
const refetchMs = 30_000;

export const useReports = () =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.listReports({ query: {} }, { signal }),
    refetchInterval: refetchMs,
  });

export const useReport = (id: string) =>
  useQuery({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => client.getReport({ params: { id } }, { signal }),
    refetchInterval: refetchMs,
  });

/** The reports of a dashboard that are sent to this user. */
export const useSubscriptions = (dashboard: string, isOn = true) =>
  useQuery({
    queryKey: [...key, 'dashboard', dashboard],
    queryFn: ({ signal }) => client.listReports({ query: { dashboard } }, { signal }),
    select: ({ reports }) => reports.filter(isReceived),
    enabled: isOn && viewedAs === undefined,
  });

export const isReceived = ({ isRecipient, hasUnsubscribed }: ReportSummary): boolean =>
  isRecipient && !hasUnsubscribed;

export const useDueTimes = (schedule: ScheduleFile | undefined) =>
  useQuery({
    queryKey: ['due-times', schedule],
    queryFn: ({ signal }) => client.getDueTimes({ body: { schedule: schedule! } }, { signal }),
    enabled: schedule !== undefined,
    placeholderData: keepPreviousData,
    staleTime: refetchMs,
  });

export const refreshReports = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key });
