/** Fits a line by least squares; undefined for fewer than two points or equal x. */
export function lineThrough(
  points: readonly { readonly x: number; readonly y: number }[],
): ((x: number) => number) | undefined {
  const n = points.length;
  const [meanX, meanY] = [
    points.reduce((sum, point) => sum + point.x, 0) / n,
    points.reduce((sum, point) => sum + point.y, 0) / n,
  ];
  let [along, across] = [0, 0];
  for (const { x, y } of points) {
    along += (x - meanX) ** 2;
    across += (x - meanX) * (y - meanY);
  }
  return n < 2 || along === 0 ? undefined : value => meanY + (across / along) * (value - meanX);
}
