import type { Mark } from '../scene.ts';
import { fitEnds, textWidth, wrapText } from '../text/text-width.ts';
import { lineHeight, maxLines } from './names-below.ts';

/** Labels at the left of rows, wrapped if the row is high enough. */
export interface NamesBeside {
  /** Room for the longest line. */
  readonly width: number;
  /** Draws a label's lines in the middle of its row, ending at `right`. */
  readonly marks: (position: number, right: number, middle: number, fill: string) => readonly Mark[];
}

/** Browsers that round the widths of letters draw a line up to three per cent wider than `textWidth` says. */
const roomForRounding = 1.03;

/**
 * @param max the width that names may take
 * @param rowHeight the height that one name may take
 */
export function namesBeside(
  names: readonly string[],
  max: number,
  rowHeight: number,
  size: number,
): NamesBeside {
  const room = max / roomForRounding;
  const lines = Math.max(1, Math.min(maxLines, Math.floor((rowHeight - 2) / lineHeight)));
  const wrapped = toldApart(
    names,
    names.map(name => wrapText(name, room, size, lines)),
    name => [fitEnds(name, room, size)],
  );
  return {
    width: Math.max(0, ...wrapped.flat().map(line => textWidth(line, size))) * roomForRounding,
    marks: (position, right, middle, fill) =>
      wrapped[position]!.map((text, line, all): Mark => ({
        kind: 'text',
        x: right,
        y: middle + 4 + (line - (all.length - 1) / 2) * lineHeight,
        text,
        fill,
        align: 'right',
        size,
      })),
  };
}

/** Different names that would be cut to the same lines show their ends instead. */
function toldApart(
  names: readonly string[],
  wrapped: readonly (readonly string[])[],
  withEnds: (name: string) => readonly string[],
): readonly (readonly string[])[] {
  const keys = wrapped.map(lines => lines.join('\n'));
  const named = Map.groupBy(names.keys(), position => keys[position]!);
  const isShared = (position: number) =>
    new Set(named.get(keys[position]!)!.map(other => names[other])).size > 1;
  return wrapped.map((lines, position) => (isShared(position) ? withEnds(names[position]!) : lines));
}
