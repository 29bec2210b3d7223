import {
  fitText,
  symbolPath,
  textWidth,
  type ChartTheme,
  type LegendEntry,
  type Mark,
  type Rectangle,
} from '@belvedere/chart';

const lineHeight = 18;
/** Longer names in the title's line end in an ellipsis. */
const widestBeside = 140;
const fewEntries = 4;

interface LegendNames {
  readonly title: string | undefined;
  readonly entries: readonly LegendEntry[];
}

/**
 * Draws the names of a chart's series to the right of its title, or in lines of their own if they do not fit
 * there.
 * @param beside the title's baseline, and the free space on it
 * @param below where lines of their own may begin, and the height that the tile has for its chart
 * @returns the height that the lines take from the chart
 */
export function drawLegend(
  names: LegendNames,
  beside: { readonly left: number; readonly right: number; readonly baseline: number },
  below: Rectangle,
  theme: ChartTheme,
): { readonly marks: readonly Mark[]; readonly height: number } {
  const marks = legendBeside(names, beside, theme);
  const { title, entries } = names;
  const isComplete = marks.length >= entries.length * 2 + (title && entries.length > 0 ? 1 : 0);
  // The names of a combo's few measures are not cut where a line of their own has room for them.
  const isCut =
    entries.length <= fewEntries && entries.some(({ label }) => textWidth(label, 12) > widestBeside);
  return isComplete && !isCut
    ? { marks, height: 0 }
    : legendLines(names, { ...below, height: below.height / 3 }, theme);
}

/** Draws the series' names to the right of the title, as many as fit. */
function legendBeside(
  { title, entries }: LegendNames,
  { left, right, baseline }: { readonly left: number; readonly right: number; readonly baseline: number },
  theme: ChartTheme,
): Mark[] {
  const marks: Mark[] = [];
  let x = right;
  for (const entry of entries.toReversed()) {
    const label = fitText(entry.label, widestBeside, 12);
    x -= textWidth(label, 12);
    if (x - 16 < left) break;
    marks.push(...legendEntry({ ...entry, label }, x - 14, baseline, theme));
    x -= 26;
  }
  const before = title === undefined || entries.length === 0 ? '' : fitText(title, widestBeside, 12);
  if (before !== '' && marks.length === entries.length * 2 && x - textWidth(before, 12) >= left)
    marks.push({
      kind: 'text',
      x: x + 8,
      y: baseline,
      text: before,
      fill: theme.text3,
      align: 'right',
      size: 12,
    });
  return marks;
}

/**
 * Draws the series' names above a chart in as many lines as needed. Names that do not fit into the room's
 * height are only counted.
 */
function legendLines(
  { title, entries }: LegendNames,
  room: Rectangle,
  theme: ChartTheme,
): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  const [right, lastLine] = [room.x + room.width, Math.max(1, Math.floor(room.height / lineHeight))];
  let [x, line] = [room.x, 1];
  const baseline = () => room.y + line * lineHeight - 8;
  const write = (text: string) =>
    marks.push({ kind: 'text', x, y: baseline(), text, fill: theme.text3, align: 'left', size: 12 });
  if (title !== undefined) {
    const text = fitText(title, widestBeside, 12);
    write(text);
    x += textWidth(text, 12) + 12;
  }
  for (const [i, entry] of entries.entries()) {
    const widest = entries.length <= fewEntries ? room.width : 240;
    const label = fitText(entry.label, Math.min(widest, room.width - 16), 12);
    const width = 14 + textWidth(label, 12);
    const isLast = i === entries.length - 1;
    // The last line needs space for the number of omitted names.
    const reserved = line === lastLine && !isLast ? textWidth(`+${entries.length - i - 1}`, 12) + 12 : 0;
    if (x + width + reserved > right && x > room.x) {
      if (line === lastLine) {
        write(`+${entries.length - i}`);
        break;
      }
      [x, line] = [room.x, line + 1];
    }
    marks.push(...legendEntry({ ...entry, label }, x, baseline(), theme));
    x += width + 12;
  }
  return { marks, height: line * lineHeight };
}

/** Draws a name after its colour or shape. */
function legendEntry(
  { label, colour, symbol }: LegendEntry,
  x: number,
  baseline: number,
  theme: ChartTheme,
): Mark[] {
  const sign: Mark =
    symbol === undefined
      ? { kind: 'rects', xywh: [x, baseline - 5, 10, 3], fill: colour }
      : { kind: 'path', d: symbolPath(symbol, x + 5, baseline - 4, 4), fill: colour };
  return [
    { kind: 'text', x: x + 14, y: baseline, text: label, fill: theme.text2, align: 'left', size: 12 },
    sign,
  ];
}
