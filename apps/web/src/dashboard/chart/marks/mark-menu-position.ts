import type { Rectangle } from '@belvedere/chart';
import type { Point } from '../../gestures/pointing.ts';

/** The distance from the pointer, which must stay free to click again. */
const distance = 14;

/**
 * The position of the menu of a mark: never under the pointer, and across the direction of the next marks, so
 * that they can be clicked in turn. It avoids the tooltip if there is room.
 * @param frame the tile's width, and the visible range of the window, in pixels of the tile
 * @returns its upper left corner
 */
export function besidePointer(
  { x, y }: Point,
  { width, height }: { readonly width: number; readonly height: number },
  frame: { readonly width: number; readonly top: number; readonly bottom: number },
  isListed: boolean,
  tooltip: Rectangle | undefined,
): { readonly left: number; readonly top: number } {
  const centred = Math.max(0, Math.min(frame.width - width, x - width / 2));
  const beside = [
    { left: x + distance, top: y - height / 2 },
    { left: x - distance - width, top: y - height / 2 },
  ];
  const stacked = [
    { left: centred, top: y - distance - height },
    { left: centred, top: y + distance },
  ];
  const past = tooltip
    ? [
        { left: centred, top: Math.min(y - distance, tooltip.y - distance / 2) - height },
        { left: centred, top: Math.max(y + distance, tooltip.y + tooltip.height + distance / 2) },
      ]
    : [];
  const candidates = [...(isListed ? [...beside, ...stacked] : [...stacked, ...beside]), ...past];
  const fits = candidates.filter(
    ({ left, top }) =>
      left >= 0 && left + width <= frame.width && top >= frame.top && top + height <= frame.bottom,
  );
  const isClear = ({ left, top }: { readonly left: number; readonly top: number }) =>
    !tooltip ||
    left + width <= tooltip.x ||
    left >= tooltip.x + tooltip.width ||
    top + height <= tooltip.y ||
    top >= tooltip.y + tooltip.height;
  return fits.find(isClear) ?? fits[0] ?? { left: centred, top: y + distance };
}

/** Whether a menu of a width has room on either side of the pointer. */
export const fitsBeside = ({ x }: Point, width: number, frameWidth: number): boolean =>
  width + distance <= Math.max(x, frameWidth - x);
