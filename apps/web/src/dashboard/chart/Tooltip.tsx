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
}

/** What a mark stands for, in full. */
export function Tooltip({ title, rows, events = [], x, y }: TooltipContent) {
  return (
    <div className="pointer-events-none absolute inset-0 overflow-visible" aria-hidden>
      <div
        ref={element => keepInside(element, x, y)}
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

/** Beside the mark, on the side where there is room, and never over it. */
function keepInside(element: HTMLDivElement | null, x: number, y: number): void {
  const frame = element?.parentElement;
  if (!element || !frame) return;
  const { offsetWidth: width, offsetHeight: height } = element;
  const left = x + 14 + width <= frame.clientWidth ? x + 14 : Math.max(0, x - 14 - width);
  element.style.left = `${left}px`;
  element.style.top = `${Math.max(0, Math.min(frame.clientHeight - height, y - height / 2))}px`;
}
