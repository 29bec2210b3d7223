import type { Field, ModelSummary } from '@belvedere/api';
import { formatNumber, hasLegend, isChartTile, legendTitle, tileNotes } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { ReactNode } from 'react';
import { ThreadMark } from '../../comments/threads/ThreadMark.tsx';
import type { TileView } from '../../live/live-tile.ts';
import { locale, t } from '../../messages/messages.ts';
import { Legend } from '../chart/Legend.tsx';
import { fieldLabel, titleNote } from './describe.ts';
import { isOutdated } from './outdated-tile.ts';
import { Outdated } from './TileStates.tsx';
import { useTileSeries } from './use-tile-series.ts';

interface TileHeaderProps {
  readonly id: string;
  readonly tile: Exclude<Tile, { kind: 'text' | 'image' }>;
  readonly title: string;
  readonly view: TileView;
  readonly models: readonly ModelSummary[];
  readonly model: ModelSummary | undefined;
  readonly measures: readonly Field[];
  /** The series that the user has hidden. */
  readonly hidden: ReadonlySet<number>;
  readonly onHide: (hidden: ReadonlySet<number>) => void;
  readonly staleness: string | undefined;
  readonly marks: ReactNode;
  readonly openThreads: number;
  readonly onThreads: ((id: string) => void) | undefined;
  /** Queries the tile again; undefined without a server. */
  readonly onRetry: (() => void) | undefined;
  /** The tile's controls. */
  readonly children: ReactNode;
}

/** The title of a tile, with its remarks, its legend and marks of comments and alerts. */
export function TileHeader(props: TileHeaderProps) {
  const { id, tile, title, view, models, model, measures } = props;
  const { hidden, onHide, staleness, marks, openThreads, onThreads, onRetry, children } = props;
  const series = useTileSeries(tile, view, measures);
  const picture = view.filtered?.main ?? view.base.main;
  const remarks = [
    ...(staleness ? [staleness] : []),
    ...tileNotes(tile, view.notes, picture, field => fieldLabel(models, field), locale),
    ...(view.isSliced && view.isNear ? [t.tile.approximate] : []),
  ];
  // Beside the title it takes no room from the chart, so nothing moves when the exact result arrives.
  const sampled = view.status === 'partial' ? picture?.header.sampled : undefined;
  const count = (value: number) => formatNumber(value, 'integer', locale, 'label');
  return (
    // A legend that would cut the title has a line of its own. Remarks may be cut: they claim no width.
    <header className="flex min-h-[18px] flex-wrap items-start gap-x-2 pb-1 md:in-data-flat:pb-0 pointer-coarse:pe-10">
      <div className="min-w-0 flex-auto">
        <h2
          className={`truncate text-13 ${
            tile.kind === 'kpi'
              ? 'text-text-2 max-md:line-clamp-2 max-md:whitespace-normal'
              : 'leading-[18px] font-semibold'
          }`}
          title={titleNote(tile, title, measures, model)}
        >
          {title}
        </h2>
        {tile.subtitle || remarks.length > 0 ? (
          <p
            className="w-0 min-w-full truncate text-12 text-text-3"
            title={[tile.subtitle, ...remarks].filter(Boolean).join(' · ')}
          >
            {[tile.subtitle, ...remarks].filter(Boolean).join(' · ')}
          </p>
        ) : null}
      </div>
      {sampled ? (
        <p className="max-w-[70%] truncate text-11 leading-[18px] text-text-2">
          {t.tile.sampled(count(sampled.rows), count(sampled.of))}
        </p>
      ) : null}
      {isOutdated(view) ? <Outdated onRetry={onRetry} /> : null}
      {series && isChartTile(tile) && hasLegend(tile) ? (
        <Legend title={legendTitle(tile)} {...series} hidden={hidden} onChange={onHide} />
      ) : null}
      {marks}
      {openThreads > 0 && onThreads ? <ThreadMark count={openThreads} onPress={() => onThreads(id)} /> : null}
      {children}
    </header>
  );
}
