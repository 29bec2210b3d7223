import type { DashboardState } from '@belvedere/api';
import type { Adjustment, FieldFilter } from '@belvedere/query';
import { useCallback } from 'react';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { tilesOf } from '../../editor/state/commands.ts';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { useSettled } from '../../live/use-live.ts';

const nothing = () => {};

/** The state after the user changed a tile. Its selection is cleared, because it may no longer fit. */
function adjusted(state: DashboardState, tile: string, adjustment: Adjustment | undefined): DashboardState {
  const without = <T,>(map: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(map).filter(([id]) => id !== tile));
  return {
    ...state,
    selections: without(state.selections),
    tiles: {
      ...without(state.tiles ?? {}),
      ...(adjustment && { [tile]: adjustment as NonNullable<DashboardState['tiles']>[string] }),
    },
  };
}

/** A tile as viewers have it: brushed, clicked, walked by keys. */
export function ExploreTile({ id, editor }: { readonly id: string; readonly editor: DashboardEditor }) {
  const { dashboard, live } = useEditor(editor, state => state.shown);
  const { state } = useSettled(live);
  const onSelected = useCallback(() => void live.settle(), [live]);
  const onAdjust = useCallback(
    (one: string, adjustment: Adjustment | undefined) =>
      editor.setState(adjusted(live.state, one, adjustment)),
    [editor, live],
  );
  const onFilters = useCallback(
    (filters: Readonly<Record<string, FieldFilter>>, without: string) =>
      editor.setState({
        ...live.state,
        filters: { ...live.state.filters, ...filters },
        selections: Object.fromEntries(
          Object.entries(live.state.selections).filter(([other]) => other !== without),
        ),
      }),
    [editor, live],
  );
  const onReset = useCallback(() => editor.setState({ page: 0, filters: {}, selections: {} }), [editor]);
  const tile = dashboard.document && tilesOf(dashboard.document, 0)[id];
  if (!tile) return <div className="size-full rounded-tile border border-border bg-surface" />;
  return (
    <TileView
      id={id}
      tile={tile}
      live={live}
      models={dashboard.models}
      dashboardModel={dashboard.document?.model}
      adjustment={state.tiles?.[id]}
      compare={undefined}
      state={tile.kind === 'table' ? state : undefined}
      broken={dashboard.brokenTiles[id]}
      isLarge={false}
      onLarge={nothing}
      onSelected={onSelected}
      onAdjust={onAdjust}
      onFilters={onFilters}
      onGo={nothing}
      onReset={onReset}
      staleness={undefined}
    />
  );
}
