import { tooltipPosition, type TooltipMark } from './tooltip-position.ts';

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly {
    readonly label: string;
    readonly value: string;
    readonly colour?: string | undefined;
  }[];
  /** What happened there. */
  readonly events?: readonly string[];
  readonly x: number;
  readonly y: number;
  /** Where the mark begins, if it extends to the left of `x`. */
  readonly start?: number;
}

/** What a mark stands for, in full. */
export function Tooltip({ title, rows, events = [], x, y, start }: TooltipContent) {
  return (
    <div className="pointer-events-none absolute inset-0 overflow-visible" aria-hidden>
      <div
        ref={element => keepInside(element, { x, y, start })}
        className="enter absolute z-20 max-w-[280px] min-w-[120px] rounded-tile border border-border bg-raised px-2.5 py-2 text-12 shadow-float"
      >
        {title === '' ? null : <p className="mb-0.5 font-medium text-text">{title}</p>}
        {rows.slice(0, 12).map(row => (
          <p key={row.label} className="flex items-center gap-2 text-text-2">
            {row.colour ? (
              <span className="size-2 shrink-0 rounded-full" style={{ background: row.colour }} />
            ) : null}
            <span className="truncate">{row.label}</span>
            <span className="tabular ml-auto pl-3 text-text">{row.value}</span>
          </p>
        ))}
        {events.slice(0, 5).map(event => (
          <p key={event} className="mt-1 border-t border-border pt-1 text-text">
            {event}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Places a tooltip beside its mark; above or below it where neither side has room, clear of the finger. */
function keepInside(element: HTMLDivElement | null, mark: TooltipMark): void {
  const frame = element?.parentElement;
  if (!element || !frame) return;
  const { offsetWidth: width, offsetHeight: height } = element;
  const { left, top } = tooltipPosition(
    mark,
    { width, height },
    { width: frame.clientWidth, height: frame.clientHeight },
  );
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
