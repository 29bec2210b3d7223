import {
  emptyReasonOf,
  problemMessage,
  type DashboardState,
  type Field,
  type ModelSummary,
  type ProblemMessage,
  type ProblemType,
} from '@belvedere/api';
import { chartMessagesIn } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Adjustment } from '@belvedere/query';
import { lazyComponent } from '@belvedere/ui';
import type { ReactNode } from 'react';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import type { TileView } from '../../live/live-tile.ts';
import { locale, t } from '../../messages/messages.ts';
import { fieldLabel } from './describe.ts';
import { KpiView } from './KpiView.tsx';
import { LazyPart } from './TileBoundaries.tsx';
import type { RowComments } from './table/RowCommentCell.tsx';
import { isOutdated } from './outdated-tile.ts';
import { tableLook, TileRows } from './table/TileRows.tsx';
import { TileMessage, TileSkeleton } from './TileStates.tsx';

// Only some dashboards have pivots, so their code loads when it is needed.
const PivotView = lazyComponent(() => import('./table/PivotView.tsx').then(module => module.PivotView));

/** Problems that trying again does not solve. */
const waitsForAdmin: ReadonlySet<string> = new Set<ProblemType>(['source-unconfirmed', 'source-paused']);

interface TileBodyProps {
  readonly live: DashboardStore;
  readonly id: string;
  readonly tile: Exclude<Tile, { kind: 'text' | 'image' }>;
  readonly title: string;
  readonly view: TileView;
  readonly models: readonly ModelSummary[];
  readonly model: ModelSummary | undefined;
  readonly measures: readonly Field[];
  readonly state: DashboardState | undefined;
  readonly adjustment: Adjustment | undefined;
  /** Why its definition cannot be shown. */
  readonly broken: string | undefined;
  readonly isOffline: boolean;
  readonly boundBy: (() => string) | undefined;
  readonly onReset: () => void;
  /** Comments on the rows of a table; undefined if there are none here. */
  readonly comments: RowComments | undefined;
  readonly onAdjust: (adjustment: Adjustment | undefined) => void;
  /** Renders the chart of a tile that has one, once there is something to draw. */
  readonly chart: () => ReactNode;
}

/** What a tile shows below its title: its rows, figure or chart, or why there is none. */
export function TileBody(props: TileBodyProps) {
  const { live, id, tile, title, view, models, model, measures, state, adjustment } = props;
  const { comments, broken, isOffline, boundBy, onReset, onAdjust, chart } = props;
  const picture = view.filtered?.main ?? view.base.main;
  if (broken) return <TileMessage title={t.tile.failed} text={broken} />;
  if (view.problem?.type === 'not-allowed')
    return <TileMessage title={t.tile.forbidden} text={t.tile.forbiddenText} />;
  if (view.status === 'failed' && !isOutdated(view)) {
    const retry = { action: t.tile.retry, onAction: () => void live.load([id]) };
    return (
      <TileMessage
        {...failureOf(view)}
        {...(!isOffline && !waitsForAdmin.has(view.problem?.type ?? '') && retry)}
      />
    );
  }
  if (tile.kind === 'table') {
    const rows = view.filteredRows ?? view.rows;
    return state && rows ? (
      <LazyPart>
        <TileRows
          dashboard={live.id}
          id={id}
          title={title}
          state={state}
          first={rows}
          look={tableLook(tile, model)}
          adjustment={isOffline ? undefined : adjustment}
          comments={comments}
          onAdjust={isOffline ? undefined : change => onAdjust(change(live.state.tiles?.[id]))}
        />
      </LazyPart>
    ) : (
      <TileSkeleton kind="table" />
    );
  }
  if (!picture) return <TileSkeleton kind={tile.kind} />;
  if (tile.kind === 'kpi')
    return <KpiView live={live.tile(id)} view={view} tile={tile} measure={measures[0]!} />;
  // While the user brushes, a chart that is empty for a moment stays.
  const emptyReason = view.isSliced ? undefined : emptyReasonOf(tile, picture.header, picture.values);
  if (emptyReason !== undefined && emptyReason !== 'rows')
    return <TileMessage title={t.tile.emptyTitle} text={chartMessagesIn(locale).emptyReasons[emptyReason]} />;
  if (emptyReason === 'rows') {
    const bounds = boundBy?.() ?? '';
    return bounds === '' ? (
      <TileMessage title={t.tile.emptyTitle} text={t.tile.noRows} />
    ) : (
      <TileMessage
        title={t.tile.emptyTitle}
        text={t.tile.emptyUnder(bounds)}
        action={t.filters.reset}
        onAction={onReset}
      />
    );
  }
  if (tile.kind === 'pivot')
    return (
      <LazyPart>
        <PivotView
          live={live.tile(id)}
          view={view}
          tile={tile}
          title={title}
          measures={measures}
          labelOf={field => fieldLabel(models, field)}
        />
      </LazyPart>
    );
  return chart();
}

/** What to tell the user about a tile that failed. */
export function failureOf(view: TileView): ProblemMessage {
  return view.problem ? problemMessage(view.problem, t.problems) : { title: t.errors.unreachable, text: '' };
}
