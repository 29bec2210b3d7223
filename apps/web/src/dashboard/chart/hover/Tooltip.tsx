import { areaAround, positionBeside, type MarkShape } from '../marks/mark-shape.ts';

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly {
    readonly label: string;
    readonly value: string;
    readonly colour?: string | undefined;
  }[];
  /** Event notes at the position. */
  readonly events?: readonly string[];
  readonly x: number;
  readonly y: number;
  /** The mark itself, where the chart knows its outline. */
  readonly mark?: MarkShape;
}

/** The details of a mark. */
export function Tooltip({ title, rows, events = [], x, y, mark }: TooltipContent) {
  return (
    <div className="pointer-events-none absolute inset-0 overflow-visible" aria-hidden>
      <div
        ref={element => standOff(element, mark?.area ?? areaAround(x, y))}
        data-tooltip
        className="enter absolute z-20 max-w-[280px] min-w-[120px] rounded-tile border border-border bg-raised px-2.5 py-2 text-12 shadow-float"
      >
        {title === '' ? null : <p className="mb-0.5 font-medium wrap-anywhere text-text">{title}</p>}
        {rows.slice(0, 12).map(row => (
          <p key={row.label} className="flex items-center gap-2 text-text-2">
            {row.colour ? (
              <span className="size-2 shrink-0 rounded-full" style={{ background: row.colour }} />
            ) : null}
            <span className="min-w-0 wrap-anywhere">{row.label}</span>
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
function standOff(element: HTMLDivElement | null, area: MarkShape['area']): void {
  const frame = element?.parentElement;
  if (!element || !frame) return;
  const { left, top } = positionBeside(
    area,
    { width: element.offsetWidth, height: element.offsetHeight },
    { width: frame.clientWidth, height: frame.clientHeight },
  );
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}

/** Which mark a tooltip is about: a crosshair with points, an outline, or a shade on its area. */
export function PointedMark({ area, line, dots, outline }: MarkShape) {
  return (
    <svg
      aria-hidden
      data-testid="pointed-mark"
      className="pointer-events-none absolute size-full overflow-hidden"
    >
      {line ? (
        <line
          x1={line.x}
          x2={line.x}
          y1={line.top}
          y2={line.top + line.height}
          className="stroke-text-3"
          strokeDasharray="3 3"
        />
      ) : null}
      {outline ? (
        <path
          d={outline.path}
          transform={`translate(${outline.x} ${outline.y})`}
          fill="none"
          className="stroke-text-2"
          strokeWidth={1.5}
          strokeLinejoin="round"
        />
      ) : null}
      {dots?.map(({ x, y, colour }) => (
        <circle
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          r={colour ? 4 : 6}
          fill={colour ?? 'none'}
          className={colour ? 'stroke-surface' : 'stroke-text-2'}
          strokeWidth={1.5}
        />
      ))}
      {dots || outline ? null : (
        <rect
          x={area.x - 1}
          y={area.y - 1}
          width={area.width + 2}
          height={area.height + 2}
          rx={2}
          fill="none"
          className="stroke-border-strong"
        />
      )}
    </svg>
  );
}
