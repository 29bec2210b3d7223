import type { Mark } from '../scene.ts';

export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

/** Paints marks on a canvas, one path for each. */
export function paintCanvas(context: CanvasRenderingContext2D, marks: readonly Mark[]): void {
  for (const mark of marks) paintMark(context, mark);
  context.globalAlpha = 1;
}

function paintMark(context: CanvasRenderingContext2D, mark: Mark): void {
  context.globalAlpha = ('opacity' in mark ? mark.opacity : undefined) ?? 1;
  switch (mark.kind) {
    case 'rects': {
      const { xywh } = mark;
      if (xywh.length === 0) return;
      context.fillStyle = mark.fill;
      context.beginPath();
      for (let i = 0; i < xywh.length; i += 4) context.rect(xywh[i]!, xywh[i + 1]!, xywh[i + 2]!, xywh[i + 3]!);
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
        const [x, y] = [mark.xy[i]!, mark.xy[i + 1]!];
        if (Number.isNaN(y)) isDown = false;
        else if (isDown) context.lineTo(x, y);
        else {
          context.moveTo(x, y);
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
        for (let i = from; i < below; i++) (i === from ? context.moveTo : context.lineTo).call(context, mark.xyy[i * 3]!, mark.xyy[i * 3 + 2]!);
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
      // Moved there and back: what is saved and restored takes the font back too, behind the back of whoever remembers it.
      context.translate(mark.x, mark.y);
      for (const inner of mark.marks) paintMark(context, inner);
      context.translate(-mark.x, -mark.y);
      return;
    case 'text':
      context.fillStyle = mark.fill;
      setFont(context, `${mark.weight ?? 400} ${mark.size}px ${fontFamily}`);
      context.textAlign = mark.align;
      context.fillText(mark.text, mark.x, mark.y);
  }
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

const fonts = new WeakMap<CanvasRenderingContext2D, string>();

/** Setting a font makes the browser parse it, even the one that is set: only a change is worth that. */
function setFont(context: CanvasRenderingContext2D, font: string): void {
  if (fonts.get(context) === font && context.font !== '10px sans-serif') return;
  context.font = font;
  fonts.set(context, font);
}

/** Runs of points without a gap, as `[from, below)`. */
export function runs(xyy: readonly number[]): (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let i = 0; i < xyy.length / 3; i++) {
    if (Number.isNaN(xyy[i * 3 + 2]!)) continue;
    const last = found.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else found.push([i, i + 1]);
  }
  return found;
}
