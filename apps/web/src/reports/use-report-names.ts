import type { ReportFile } from '@belvedere/document';
import { useMemo } from 'react';
import { useDashboardNamed, useDashboards } from '../data/server.ts';
import type { Names } from '../editor/text-view/yaml-editor.ts';
import { scheduledNames } from '../scheduled/scheduled-names.ts';
import { useRecipientNames } from '../scheduled/use-recipient-names.ts';

/** The names that a report's text may use. */
export function useReportNames({ dashboard: id }: ReportFile): Names {
  const { data: list } = useDashboards();
  const { data: dashboard } = useDashboardNamed(id === '' ? undefined : id);
  const { subjects, channels } = useRecipientNames();
  const dashboards = list?.dashboards;
  return useMemo(
    () =>
      scheduledNames({
        dashboards: dashboards ?? [],
        dashboard,
        models: [],
        fieldsOf: dashboard?.models ?? [],
        isOfFigures: true,
        subjects,
        channels,
      }),
    [dashboard, dashboards, subjects, channels],
  );
}
