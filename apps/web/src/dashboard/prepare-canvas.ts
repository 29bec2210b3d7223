/** A canvas scaled to the screen's pixels, ready to be painted in CSS pixels: clear, or all `ground` where nothing is to be seen behind it, which spares the browser to blend it with every frame. */
export function prepareCanvas(canvas: HTMLCanvasElement, size: { readonly width: number; readonly height: number }, ground?: string): CanvasRenderingContext2D | null {
  const scale = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d', { alpha: ground === undefined });
  if (!context) return null;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (ground === undefined) context.clearRect(0, 0, size.width, size.height);
  else {
    context.fillStyle = ground;
    context.fillRect(0, 0, size.width, size.height);
  }
  return context;
}
