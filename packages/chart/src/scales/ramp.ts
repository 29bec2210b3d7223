/** Interpolates `count` colours linearly through the given ones (#RRGGBB). */
export function colourRamp(colours: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const at = (i / Math.max(1, count - 1)) * (colours.length - 1);
    const from = Math.min(colours.length - 2, Math.floor(at));
    const share = at - from;
    const [a, b] = [channels(colours[from]!), channels(colours[from + 1]!)];
    return `#${a
      .map((value, c) =>
        Math.round(value + (b[c]! - value) * share)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
  });
}

function channels(colour: string): number[] {
  return [1, 3, 5].map(i => Number.parseInt(colour.slice(i, i + 2), 16));
}
