import type { Chart, Target } from '@belvedere/chart';
import { toggle } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { t } from '../../messages/messages.ts';
import { boxOfPositions } from './brush-gesture.ts';
import { describeBoxes } from '../tiles/describe.ts';
import { boxesOfTargets, boxInPanel, isBetween, neighbour, type Cursor, type Point } from './pointing.ts';
import type { PanelTargets } from './use-panel-targets.ts';
import type { useZoom, Zoomable } from './use-zoom.ts';

/** The direction of an arrow key: steps to the right, and up. */
export const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

interface Walking {
  readonly touched: PanelTargets;
  readonly zooming: ReturnType<typeof useZoom>;
  readonly zoomable: Zoomable | undefined;
  readonly canSelect: boolean;
  /** The selection on this tile. */
  readonly selected: () => readonly Box[];
  readonly onApproach: () => void;
  readonly onSelect: (boxes: readonly Box[]) => void;
  readonly onSelected: () => void;
  readonly onOpen: ((mark: Box) => void) | undefined;
  /** Called when the keyboard cursor has moved, with its target. */
  readonly onTell: () => void;
  /** Called when a single mark is selected. */
  readonly onChosen: (mark: Box, at: Point) => void;
}

/**
 * The keyboard cursor of a chart: arrows move between marks, Enter selects, Shift brushes. A screen reader
 * reads the mark.
 */
export function useCursor({
  touched,
  zooming,
  zoomable,
  canSelect,
  selected,
  onApproach,
  onSelect,
  onSelected,
  onOpen,
  onTell,
  onChosen,
}: Walking) {
  const { panels, axes, brushesOf, targetsOf, markOf, contentOf, cursorAt } = touched;
  const [held, setHeld] = useState<{
    readonly cursor: Cursor;
    readonly axes: PanelTargets['axes'];
    readonly at: Point;
  }>();
  // After zooming or filtering there are other marks at the cursor.
  const cursor = useMemo(
    () => held && (isSame(held.axes, axes) ? held.cursor : cursorAt(held.cursor.panel, held.at)),
    [held, axes, cursorAt],
  );
  const [said, setSaid] = useState('');

  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && canSelect && selected().length > 0) {
      event.stopPropagation();
      onSelect([]);
      onSelected();
      setSaid(t.tile.cleared);
      return;
    }
    const step = arrows[event.key];
    if (zoomable && (event.key === '+' || event.key === '-') && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      zooming.by(
        event.key === '+' ? 0.5 : 2,
        cursor && panels[cursor.panel]?.chart[zoomable.channel]?.middle(cursor[zoomable.channel]),
      );
    } else if (step) {
      event.preventDefault();
      event.stopPropagation();
      onApproach();
      walkTo(step, event.shiftKey);
    } else if ((event.key === 'PageDown' || event.key === 'PageUp') && panels.length > 1) {
      event.preventDefault();
      const next =
        ((cursor?.panel ?? -1) + (event.key === 'PageDown' ? 1 : -1) + panels.length) % panels.length;
      show({
        panel: next,
        x: panels[next]!.chart.x ? 0 : -1,
        y: panels[next]!.chart.y ? 0 : -1,
        ...(targetsOf(panels[next]!).length > 0 && { target: 0 }),
      });
    } else if (cursor && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      event.stopPropagation();
      const chosen = markOf(cursor);
      if (!chosen) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onOpen) return onOpen(chosen);
      if (!canSelect) return;
      const boxes = selected();
      const next =
        toggle(
          {
            tile: event.shiftKey
              ? boxes
              : boxes.filter(other => JSON.stringify(other) === JSON.stringify(chosen)),
          },
          'tile',
          chosen,
        )['tile'] ?? [];
      onSelect(next);
      onSelected();
      const isOnly = next.length === 1 && next[0] === chosen;
      const content = isOnly ? contentOf(cursor) : undefined;
      if (content) onChosen(chosen, content);
      const selection = t.tile.selectedRange(describeBoxes(next, formatsOn(axes)));
      setSaid(next.length === 0 ? t.tile.cleared : isOnly ? `${selection}. ${t.tile.mark.hint}` : selection);
    }
  };

  const walkTo = (step: readonly [number, number], extends_: boolean) => {
    const panel = panels[cursor?.panel ?? 0]!;
    if (panel.chart.targets) {
      const targets = targetsOf(panel);
      if (targets.length === 0) return;
      const next = neighbour(targets, cursor?.target, step);
      const from = extends_ ? (cursor?.from?.target ?? cursor?.target ?? next) : undefined;
      show({
        panel: cursor?.panel ?? 0,
        x: -1,
        y: -1,
        target: next,
        ...(from !== undefined && { from: { x: -1, y: -1, target: from } }),
      });
      if (from !== undefined && canSelect)
        chooseAll(boxesOfTargets(panel, between(targets, from, next), axes));
      return;
    }
    const next = walk(panel.chart, cursor, step);
    const from = extends_ ? (cursor?.from ?? cursor ?? next) : undefined;
    show({ panel: cursor?.panel ?? 0, ...next, ...(from && { from: { x: from.x, y: from.y } }) });
    if (!from || !canSelect) return;
    const range = (channel: 'x' | 'y') =>
      [Math.min(from[channel], next[channel]), Math.max(from[channel], next[channel]) + 1] as const;
    const positions = { x: range('x'), y: range('y') };
    const box = boxInPanel(panel, axes, boxOfPositions(brushesOf(panel), positions));
    if (box) chooseAll([box]);
  };

  const chooseAll = (chosen: readonly Box[]) => {
    if (chosen.length === 0) return;
    onSelect(chosen);
    onSelected();
    setSaid(t.tile.selectedRange(describeBoxes(chosen, formatsOn(axes))));
  };

  /** Moves the cursor, and announces the mark. */
  const show = (at: Cursor) => {
    const { chart } = panels[at.panel]!;
    setHeld({ cursor: at, axes, at: { x: chart.x?.middle(at.x) ?? 0, y: chart.y?.middle(at.y) ?? 0 } });
    onTell();
    const content = contentOf(at);
    if (content)
      setSaid(
        `${content.title}: ${[...content.rows.map(row => `${row.label} ${row.value}`), ...(content.events ?? [])].join(', ')}`,
      );
  };

  return { cursor, said, keys, leave: () => setHeld(undefined) };
}

function formatsOn(axes: PanelTargets['axes']): ReadonlyMap<string, string | undefined> {
  return new Map(axes.map(axis => [axis.field, axis.kind === 'times' ? undefined : axis.format]));
}

function isSame(before: PanelTargets['axes'], after: PanelTargets['axes']): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

/** The targets in the rectangle between two targets. */
function between(targets: readonly Target[], from: number, to: number): readonly Target[] {
  const [a, b] = [targets[from]!, targets[to]!];
  return targets.filter(
    target =>
      target === a ||
      target === b ||
      (target.positions.length === a.positions.length && isBetween(target, a, b)),
  );
}

/** The next place in a direction; up and down count on an upright axis as it is drawn. */
export function walk(chart: Chart, cursor: Point | undefined, [right, up]: readonly [number, number]): Point {
  if (!cursor) return { x: chart.x ? 0 : -1, y: chart.y ? 0 : -1 };
  const clamp = (position: number, positions: number) => Math.max(0, Math.min(positions - 1, position));
  const isDownward = chart.y !== undefined && chart.y.positions > 1 && chart.y.middle(1) > chart.y.middle(0);
  // On a chart with one axis either pair of arrows walks it.
  const alongX = chart.x ? right + (chart.y ? 0 : up) : 0;
  const alongY = chart.y ? (isDownward ? -up : up) + (chart.x ? 0 : right) : 0;
  return {
    x: chart.x ? clamp(cursor.x + alongX, chart.x.positions) : -1,
    y: chart.y ? clamp(cursor.y + alongY, chart.y.positions) : -1,
  };
}
