import type { ModelSummary } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import { useMemo } from 'react';
import { useDashboardNamed, useDashboards } from '../data/server.ts';
import type { Names } from '../editor/text-view/yaml-editor.ts';
import { scheduledNames } from '../scheduled/scheduled-names.ts';
import { useRecipientNames } from '../scheduled/use-recipient-names.ts';
import { tileMeasures, tileOf, underFilters } from './tile-measures.ts';

/** The names that an alert's text may use. */
export function useAlertNames({ watch }: AlertFile, models: readonly ModelSummary[]): Names {
  const { data: list } = useDashboards();
  const { data: dashboard } = useDashboardNamed('dashboard' in watch ? watch.dashboard : undefined);
  const { subjects, channels } = useRecipientNames();
  const dashboards = list?.dashboards;
  return useMemo(() => {
    const seen = dashboard && underFilters(dashboard, watch.filters);
    const tile = seen && 'tile' in watch ? tileOf(seen, watch.tile) : undefined;
    const model = 'model' in watch ? watch.model : (tile?.model ?? seen?.document?.model);
    return scheduledNames({
      dashboards: dashboards ?? [],
      dashboard,
      models,
      ...(seen && 'tile' in watch && { measures: tileMeasures(seen, watch.tile) }),
      fieldsOf: [...(seen?.models ?? models)].filter(({ name }) => name === model),
      isOfFigures: false,
      subjects,
      channels,
    });
  }, [dashboard, dashboards, watch, models, subjects, channels]);
}
