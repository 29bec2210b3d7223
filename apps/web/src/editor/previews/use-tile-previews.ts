import type { OpenDashboard } from '@belvedere/api';
import { writeEntries, type Tile } from '@belvedere/document';
import { useEffect, useState } from 'react';
import { presentDashboard, tileVisibleTo } from '../../dashboard/tiles/resolved-dashboard.ts';
import { problemText } from '../../data/problem-text.ts';
import { connection } from '../../data/connection/connection.ts';
import { inOwnZone } from '../../data/session/own-zone.ts';
import { client } from '../../data/server.ts';
import { DashboardStore } from '../../live/dashboard-store.ts';
import type { DashboardEditor } from '../state/dashboard-editor.ts';

export interface Previews {
  readonly dashboard: OpenDashboard;
  readonly live: DashboardStore;
}

const title = 'previews';

/**
 * Draws tiles that are not part of the dashboard, with its data and current filters. They are on a temporary
 * page that the server keeps while they are shown.
 * @param tiles by ID; only the first set is drawn
 */
export function useTilePreviews(
  editor: DashboardEditor,
  model: string,
  tiles: Readonly<Record<string, Tile>>,
): { readonly previews?: Previews; readonly error?: string } {
  const [found, setFound] = useState<{ readonly previews?: Previews; readonly error?: string }>({});
  const [preview] = useState(() => {
    const {
      document,
      shown: {
        dashboard,
        live: { state },
      },
    } = editor.state;
    const filters = presentDashboard(dashboard, state).document?.filters;
    const plain = Object.fromEntries(
      Object.entries(tiles).map(([name, tile]) => {
        const {
          showIf: _,
          listens: __,
          opens: ___,
          at: ____,
          ...rest
        } = tileVisibleTo(document, tile, dashboard.models, state);
        return [name, rest];
      }),
    );
    return {
      id: `explore:${model}:${connection.window}`,
      state: { page: 0, filters: state.filters, selections: {} },
      text: writeEntries({
        version: 1,
        title,
        model,
        ...(filters && { filters }),
        pages: [{ title, tiles: plain }],
      }),
    };
  });
  useEffect(() => {
    let live: DashboardStore | undefined;
    let isGone = false;
    const draw = async () => {
      await client.dropDraft({ params: { id: preview.id } });
      const { dashboard } = await client.putDraft({
        params: { id: preview.id },
        body: { text: preview.text, base: '', after: 0 },
      });
      if (isGone) return;
      live = new DashboardStore(client, dashboard, inOwnZone(dashboard, preview.state));
      setFound({ previews: { dashboard, live } });
      await live.load();
    };
    void draw().catch((problem: unknown) => setFound({ error: problemText(problem) }));
    return () => {
      isGone = true;
      live?.close();
      void client.dropDraft({ params: { id: preview.id } }).catch(() => {});
    };
  }, [preview]);
  return found;
}
