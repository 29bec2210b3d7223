import { rehearse, ruleOf, type PeriodUnit, type Series } from '@belvedere/alert';
import type { AlertFile } from '@belvedere/document';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../data/server.ts';
import { rehearsedText } from './new-alert.ts';
import { kindOf } from './form/condition-kind.ts';
import { words } from './messages/words.ts';
import type { Threshold } from './RehearsalChart.tsx';

/** The past values of what an alert watches, and when it would have fired; computed here, also while one drags. */
export function useRehearsal(document: AlertFile) {
  const text = rehearsedText(document);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['alerts', 'rehearsal', text],
    queryFn: ({ signal }) => client.rehearseAlert({ body: { text } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const series = useMemo(
    () =>
      (data?.series ?? []).map(({ group, label, points }): Series => ({
        group,
        label,
        points: points.map(([from, below, value, earlier]) => ({
          from,
          below,
          value,
          ...(earlier !== undefined && { earlier }),
        })),
      })),
    [data],
  );
  const rule = useMemo(() => ruleOf(document), [document]);
  const unit: PeriodUnit | undefined = data?.unit;
  const rehearsal = useMemo(() => rehearse(rule, series, unit), [rule, series, unit]);
  const isEmpty = series.every(({ points }) => points.length < 2);
  const isFiring = rehearsal.last.some(({ state }) => state.state === 'firing');
  return { data, error, isFetching, refetch, rule, series, unit, rehearsal, isEmpty, isFiring };
}

/** The lines of an alert's condition. */
export function thresholdsOf({ when }: AlertFile): readonly Threshold[] {
  const kind = kindOf(when);
  const clear = when.clear === undefined ? [] : [{ key: 'clear', label: words.clear, value: when.clear }];
  if (kind === 'above' || kind === 'below')
    return [{ key: kind, label: words.threshold, value: when[kind]! }, ...clear];
  if (kind !== 'outside') return [];
  return [
    { key: 'low', label: words.low, value: when.outside![0] },
    { key: 'high', label: words.high, value: when.outside![1] },
  ];
}
