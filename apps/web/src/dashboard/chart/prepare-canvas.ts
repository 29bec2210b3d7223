interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A canvas scaled to the screen's pixels, ready to be painted in CSS pixels: clear, or all `ground` where
 * nothing is to be seen behind it, which spares the browser to blend it with every frame.
 */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  size: Size,
  ground?: string,
): CanvasRenderingContext2D | null {
  const context = scaledContext(canvas, size, ground !== undefined);
  if (!context) return null;
  if (ground === undefined) context.clearRect(0, 0, size.width, size.height);
  else {
    context.fillStyle = ground;
    context.fillRect(0, 0, size.width, size.height);
  }
  return context;
}

/**
 * The same with what was painted before still on it, for those who paint over all of it; black where that was
 * another size and `isOpaque`.
 */
export function scaledContext(
  canvas: HTMLCanvasElement,
  size: Size,
  isOpaque: boolean,
): CanvasRenderingContext2D | null {
  const scale = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const known = contexts.get(canvas);
  if (known?.scale === scale && canvas.width === width && canvas.height === height) return known.context;
  const context = canvas.getContext('2d', { alpha: !isOpaque });
  if (!context) return null;
  canvas.width = width;
  canvas.height = height;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  contexts.set(canvas, { context, scale });
  return context;
}

/**
 * What a canvas is painted with, which it keeps, as it does its scale until it becomes another size: asking
 * for one, or setting the other again, takes as long as painting some bars.
 */
const contexts = new WeakMap<
  HTMLCanvasElement,
  { readonly context: CanvasRenderingContext2D; readonly scale: number }
>();
