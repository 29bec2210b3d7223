import type { Mark } from '../scene.ts';

export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

/** What the contexts of a page's and of a worker's canvas have in common. */
type PaintContext = Omit<OffscreenCanvasRenderingContext2D, 'canvas'> & {
  readonly canvas: { readonly width: number; readonly height: number };
};

/** Paints marks on a canvas, one path for each. */
export function paintCanvas(context: PaintContext, marks: readonly Mark[]): void {
  const { width, height } = context.canvas;
  const before = paintStates.get(context);
  // Resizing a canvas resets its state.
  const state = before?.width === width && before.height === height ? before : { width, height };
  paintStates.set(context, state);
  paintMarks(context, marks, state);
  context.globalAlpha = 1;
}

/** The state last set on a canvas. Setting it again takes time, and so does reading it. */
interface PaintState {
  readonly width: number;
  readonly height: number;
  font?: string;
}

const paintStates = new WeakMap<PaintContext, PaintState>();

function paintMarks(context: PaintContext, marks: readonly Mark[], state: PaintState): void {
  for (const mark of marks) paintMark(context, mark, state);
}

function paintMark(context: PaintContext, mark: Mark, state: PaintState): void {
  context.globalAlpha = ('opacity' in mark ? mark.opacity : undefined) ?? 1;
  switch (mark.kind) {
    case 'rects': {
      const { xywh } = mark;
      if (xywh.length === 0) return;
      context.fillStyle = mark.fill;
      context.beginPath();
      for (let i = 0; i < xywh.length; i += 4)
        context.rect(xywh[i]!, xywh[i + 1]!, xywh[i + 2]!, xywh[i + 3]!);
      context.fill();
      return;
    }
    case 'line': {
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark.width;
      context.lineJoin = 'round';
      context.setLineDash(mark.dash ? [...mark.dash] : []);
      context.beginPath();
      let isDown = false;
      for (let i = 0; i < mark.xy.length; i += 2) {
        const y = mark.xy[i + 1]!;
        if (Number.isNaN(y)) isDown = false;
        else if (isDown) context.lineTo(mark.xy[i]!, y);
        else {
          context.moveTo(mark.xy[i]!, y);
          isDown = true;
        }
      }
      context.stroke();
      return;
    }
    case 'area': {
      context.fillStyle = mark.fill;
      context.beginPath();
      for (const [from, below] of runs(mark.xyy)) {
        context.moveTo(mark.xyy[from * 3]!, mark.xyy[from * 3 + 2]!);
        for (let i = from + 1; i < below; i++) context.lineTo(mark.xyy[i * 3]!, mark.xyy[i * 3 + 2]!);
        for (let i = below - 1; i >= from; i--) context.lineTo(mark.xyy[i * 3]!, mark.xyy[i * 3 + 1]!);
        context.closePath();
      }
      context.fill();
      return;
    }
    case 'circles':
      context.fillStyle = mark.fill;
      context.beginPath();
      for (let i = 0; i < mark.xy.length; i += 2) {
        context.moveTo(mark.xy[i]! + mark.radius, mark.xy[i + 1]!);
        context.arc(mark.xy[i]!, mark.xy[i + 1]!, mark.radius, 0, 2 * Math.PI);
      }
      context.fill();
      return;
    case 'path': {
      const path = pathOf(mark.d);
      if (mark.fill) {
        context.fillStyle = mark.fill;
        context.fill(path);
      }
      if (mark.stroke) {
        context.strokeStyle = mark.stroke;
        context.lineWidth = mark.width ?? 1;
        context.lineJoin = 'round';
        context.setLineDash([]);
        context.stroke(path);
      }
      return;
    }
    case 'group':
      if (mark.clip) {
        context.save();
        context.beginPath();
        context.rect(mark.x, mark.y, mark.clip.width, mark.clip.height);
        context.clip();
      }
      // Moved there and back, because saving and restoring would also restore the font.
      context.translate(mark.x, mark.y);
      paintMarks(context, mark.marks, state);
      context.translate(-mark.x, -mark.y);
      if (mark.clip) {
        context.restore();
        delete state.font;
      }
      return;
    case 'text':
      context.fillStyle = mark.fill;
      setFont(context, `${mark.weight ?? 400} ${mark.size}px ${fontFamily}`, state);
      context.textAlign = mark.align;
      if (mark.angle === undefined) context.fillText(mark.text, mark.x, mark.y);
      else paintTurned(context, mark, mark.angle);
  }
}

/** Turned there and back, because saving and restoring would also restore the font. */
function paintTurned(context: PaintContext, { x, y, text }: Mark & { kind: 'text' }, angle: number): void {
  const turn = (angle * Math.PI) / 180;
  context.translate(x, y);
  context.rotate(turn);
  context.fillText(text, 0, 0);
  context.rotate(-turn);
  context.translate(-x, -y);
}

const paths = new Map<string, Path2D>();

/** Longer ones are of many points, which are other ones soon: they are not worth their room. */
const longestKept = 20_000;

/** Paths that were read once: a map's regions are the same in every frame. */
function pathOf(d: string): Path2D {
  const known = paths.get(d);
  if (known) return known;
  if (paths.size > 500) paths.clear();
  const path = new Path2D(d);
  if (d.length <= longestKept) paths.set(d, path);
  return path;
}

/** Setting a font makes browsers parse it, even if it is the same. */
function setFont(context: PaintContext, font: string, state: PaintState): void {
  if (state.font === font) return;
  context.font = font;
  state.font = font;
}

/** Runs of points without a gap, as `[from, below)`. */
export function runs(xyy: readonly number[]): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const count = xyy.length / 3;
  for (let from = 0, below = 0; from < count; from = below + 1) {
    below = from;
    while (below < count && !Number.isNaN(xyy[below * 3 + 2]!)) below++;
    if (below > from) found.push([from, below]);
  }
  return found;
}
