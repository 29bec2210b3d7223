import { useEffect, useRef, useState, type Ref } from 'react';

const none: readonly number[] = [];

/**
 * Where the first so many columns stay while the others are scrolled, from the table's beginning: none where
 * all are in view, since a browser
 * composes its layers again for each cell that stays, in every frame of the page; fewer where they would
 * take half of the room.
 * @param shown what the table is made of: another text where columns or the whole table come and go
 * @returns what marks a row of the head, whose cells are measured
 */
export function usePinnedTooltip(
  count: number,
  shown: string,
): { readonly head: Ref<HTMLTableRowElement>; readonly pinned: readonly number[] } {
  const head = useRef<HTMLTableRowElement>(null);
  const [pinned, setPinned] = useState(none);
  useEffect(() => {
    const table = head.current?.closest('table');
    const region = table?.closest('[role=region]');
    if (!table || !region || count === 0) return undefined;
    const cells = [...head.current!.children].slice(0, count) as HTMLElement[];
    const measure = () => {
      const room = region.clientWidth / 2;
      const widths = cells.map(cell => cell.offsetWidth);
      const positions = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0));
      const next =
        region.scrollWidth > region.clientWidth
          ? positions.filter((position, i) => i === 0 || position + widths[i]! <= room)
          : none;
      setPinned(before => (before.join() === next.join() ? before : next));
    };
    // Columns are as wide as their content. The observer runs after the layout, so it does not force one.
    const observer = new ResizeObserver(measure);
    for (const element of [region, table, ...cells]) observer.observe(element);
    return () => observer.disconnect();
  }, [count, shown]);
  return { head, pinned };
}
