/** A canvas cleared and scaled to the screen's pixels, ready to be painted in CSS pixels. */
export function prepareCanvas(canvas: HTMLCanvasElement, size: { readonly width: number; readonly height: number }): CanvasRenderingContext2D | null {
  const scale = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, size.width, size.height);
  return context;
}
