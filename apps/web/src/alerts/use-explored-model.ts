import type { ModelSummary } from '@belvedere/api';
import { writeEntries } from '@belvedere/document';
import { useQuery } from '@tanstack/react-query';
import type { ResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';
import { connection } from '../data/connection/connection.ts';
import { client } from '../data/server.ts';

/** An exploration of a model, whose fields offer their values to filters. */
export const useExploredModel = (model: ModelSummary | undefined) =>
  useQuery({
    queryKey: ['alerts', 'explored', model?.name],
    queryFn: async () => {
      const { name, label } = model!;
      const id = `explore:${name}:${connection.window}:alert`;
      await client.dropDraft({ params: { id } });
      const text = writeEntries({
        version: 1,
        title: label,
        model: name,
        pages: [{ title: label, tiles: { rows: { kind: 'kpi', value: { measure: 'rows' } } } }],
      });
      const { dashboard } = await client.putDraft({ params: { id }, body: { text, base: '', after: 0 } });
      return dashboard as ResolvedDashboard;
    },
    enabled: model !== undefined,
  });
