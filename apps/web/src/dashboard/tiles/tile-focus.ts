const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The keys of a focused tile: arrows focus the next visible tile in a direction, Enter its first control.
 * Escape focuses the tile again, unless a control uses it.
 * @returns whether the key was handled
 */
export function moveTileFocus({
  key,
  currentTarget: tile,
  target,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'target' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & {
  readonly currentTarget: HTMLElement;
}): boolean {
  if (ctrlKey || metaKey || altKey || shiftKey) return false;
  if (target !== tile) {
    if (key !== 'Escape' || !tile.contains(target as Node)) return false;
    tile.focus();
    return true;
  }
  if (key === 'Enter') {
    // The content of a tile comes before its controls.
    (
      tile.querySelector<HTMLElement>('[role=application], [role=region][tabindex]') ??
      tile.querySelector<HTMLElement>('a[href], button')
    )?.focus();
    return true;
  }
  const direction = directions[key];
  if (!direction) return false;
  const next = nextTile(tile, direction);
  next?.focus();
  // Past the last tile the arrows scroll, as they do elsewhere.
  return next !== undefined;
}

/** The nearest tile entirely in a direction, where distance to the side counts more. */
function nextTile(from: HTMLElement, direction: readonly [number, number]): HTMLElement | undefined {
  const origin = from.getBoundingClientRect();
  const others = [
    ...(from.closest('[data-grid]') ?? document).querySelectorAll<HTMLElement>('[data-tile][tabindex]'),
  ].flatMap(tile => {
    const target = tile.getBoundingClientRect();
    const along =
      direction[0] > 0
        ? target.left - origin.right
        : direction[0] < 0
          ? origin.left - target.right
          : direction[1] > 0
            ? target.top - origin.bottom
            : origin.top - target.bottom;
    const askew =
      direction[0] === 0
        ? apart([origin.left, origin.right], [target.left, target.right])
        : apart([origin.top, origin.bottom], [target.top, target.bottom]);
    return tile !== from && along > -1 ? [{ tile, far: along + 2 * askew }] : [];
  });
  return others.toSorted((a, b) => a.far - b.far)[0]?.tile;
}

/** The distance between two ranges; if they overlap, a little for how much they differ. */
function apart([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  return Math.max(0, c - b, a - d) + Math.abs((a + b) / 2 - (c + d) / 2) / 10;
}
