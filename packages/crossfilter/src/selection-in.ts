import type { Axis, Box } from '@belvedere/query';
import { positionsMeeting, selectedSlots, type SelectedSlots } from './selected-slots.ts';

type ChannelAxis = Axis & { readonly channel: string };

/** The positions of a panel of small multiples, if any, on the row and on the column axis. */
interface PanelPositions {
  readonly row?: number;
  readonly column?: number;
}

/** A chart's axes, or those of each panel: without those that tell its panels apart. */
export function axesInPanel<Named extends ChannelAxis>(axes: readonly Named[]): readonly Named[] {
  return axes.filter(axis => axis.channel !== 'row' && axis.channel !== 'column');
}

/**
 * Returns which marks of a chart the boxes select, for each panel if it has panels: only boxes that match the
 * panel's own values count there. Without boxes, that is undefined for a chart, and no mark of a panel.
 */
export function selectionIn(
  axes: readonly ChannelAxis[],
  boxes: readonly Box[],
): (panel?: PanelPositions) => SelectedSlots | undefined {
  const x = axes.find(axis => axis.channel === 'x');
  const y = axes.find(axis => axis.channel === 'y');
  const own = x || y ? [x, y] : axesInPanel(axes);
  return panel => {
    if (!panel) return selectedSlots(own, boxes);
    const meeting = boxes.filter(box =>
      (['row', 'column'] as const).every(channel => {
        const axis = axes.find(candidate => candidate.channel === channel);
        const position = panel[channel];
        return (
          !axis ||
          position === undefined ||
          positionsMeeting(axis, box[axis.field]).some(
            ([from, below]) => position >= from && position < below,
          )
        );
      }),
    );
    return meeting.length === 0 ? () => false : selectedSlots(own, meeting);
  };
}
