interface Size {
  readonly width: number;
  readonly height: number;
}

const besideGap = 14;
/** A finger covers more than a mouse pointer. */
const aboveGap = 22;

/** A point, or a bar that ends there. */
export interface TooltipMark {
  readonly x: number;
  readonly y: number;
  readonly start?: number | undefined;
}

/**
 * Returns where a tooltip does not cover its mark: to the right or left of it, else above or below, within the
 * frame, which cuts off what leaves it.
 */
export function tooltipPosition(
  mark: TooltipMark,
  size: Size,
  frame: Size,
): { readonly left: number; readonly top: number } {
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
  const beside = [mark.x + besideGap, (mark.start ?? mark.x) - besideGap - size.width].find(
    left => left >= 0 && left + size.width <= frame.width,
  );
  if (beside !== undefined)
    return { left: beside, top: within(mark.y - size.height / 2, frame.height - size.height) };
  const left = within(mark.x - size.width / 2, frame.width - size.width);
  const above = mark.y - aboveGap - size.height;
  return { left, top: above >= 0 ? above : within(mark.y + aboveGap, frame.height - size.height) };
}
