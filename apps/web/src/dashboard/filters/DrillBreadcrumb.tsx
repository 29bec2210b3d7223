import type { ModelSummary } from '@belvedere/api';
import type { Adjustment } from '@belvedere/query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../../messages/messages.ts';
import { describeBoxes, describeCondition } from '../tiles/describe.ts';
import type { Zoomable } from '../gestures/use-zoom.ts';
import { settledStretch, stretchOf, withZoom } from '../gestures/zoom.ts';

interface DrillTrailProps {
  readonly adjustment: Adjustment;
  readonly models: readonly ModelSummary[];
  readonly zoomable: Zoomable | undefined;
  readonly onAdjust: (adjustment: Adjustment | undefined) => void;
}

/** The breadcrumb of a tile: its zoomed range, and the marks of its drill-down. */
export function DrillBreadcrumb(props: DrillTrailProps) {
  return (
    <>
      <Stretch {...props} />
      <Opened {...props} />
    </>
  );
}

/** The zoomed range, with buttons to move along and to reset it. */
function Stretch({ adjustment, zoomable, onAdjust }: DrillTrailProps) {
  const { zoom } = adjustment;
  const stretch = stretchOf(zoom);
  if (!zoom || !stretch || !zoomable) return null;
  const [from, below] = stretch;
  const move = (share: number) => {
    const shift = (below - from) * share;
    onAdjust(withZoom(adjustment, settledStretch([from + shift, below + shift], zoomable)));
  };
  const button = 'rounded px-1 hover:bg-hover hover:text-text';
  return (
    <div
      role="group"
      aria-label={t.tile.zoom}
      className="no-print flex items-center gap-0.5 pb-1 text-12 text-text-2"
    >
      <button type="button" className={button} aria-label={t.tile.earlier} onClick={() => move(-0.5)}>
        <ChevronLeft size={13} aria-hidden />
      </button>
      <span className="tabular font-medium text-text">{describeCondition(zoom)}</span>
      <button type="button" className={button} aria-label={t.tile.later} onClick={() => move(0.5)}>
        <ChevronRight size={13} aria-hidden />
      </button>
      <button type="button" className={button} onClick={() => onAdjust(withZoom(adjustment, undefined))}>
        {t.tile.zoomOut}
      </button>
    </div>
  );
}

/** The marks of a drill-down, outermost first. Each leads back to its level. */
function Opened({ adjustment, models, onAdjust }: DrillTrailProps) {
  const drill = adjustment.drill ?? [];
  if (drill.length === 0) return null;
  const backTo = (depth: number) => {
    const { drill: _, ...others } = adjustment;
    onAdjust(
      depth === 0
        ? Object.keys(others).length > 0
          ? others
          : undefined
        : { ...others, drill: drill.slice(0, depth) },
    );
  };
  return (
    <nav
      aria-label={t.tile.drillPath}
      className="no-print flex flex-wrap items-center gap-0.5 pb-1 text-12 text-text-2"
    >
      <button type="button" className="rounded px-1 hover:bg-hover hover:text-text" onClick={() => backTo(0)}>
        {t.tile.drillStart}
      </button>
      {drill.map((box, i) => (
        <span key={JSON.stringify(box)} className="flex items-center gap-0.5">
          <ChevronRight size={12} aria-hidden className="text-text-3" />
          {i === drill.length - 1 ? (
            <span aria-current="true" className="px-1 font-medium text-text">
              {describeBoxes([box], models)}
            </span>
          ) : (
            <button
              type="button"
              className="rounded px-1 hover:bg-hover hover:text-text"
              onClick={() => backTo(i + 1)}
            >
              {describeBoxes([box], models)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
