interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Scales a canvas to the screen's pixels for painting in CSS pixels. It is clear, or filled with `ground`; an
 * opaque canvas need not be blended in each frame.
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
 * The same without clearing, for callers that paint everything. An opaque canvas of another size is black.
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
 * Caches contexts with their scale. Getting a context, or setting its scale again, takes as long as painting
 * some bars.
 */
const contexts = new WeakMap<
  HTMLCanvasElement,
  { readonly context: CanvasRenderingContext2D; readonly scale: number }
>();
