import { hiddenShape, symbolPath, type LegendEntry } from '@belvedere/chart';
import { t } from '../../messages/messages.ts';

interface LegendProps {
  /** The title of the legend, if it has one. */
  readonly title?: string | undefined;
  readonly series: readonly LegendEntry[];
  /** How many of them are colours: those after tell shapes apart. */
  readonly choices: number;
  readonly hidden: ReadonlySet<number>;
  readonly onChange: (hidden: ReadonlySet<number>) => void;
}

/** So many names are written in full, in lines of their own if need be; the measures of a combo are so few. */
const fewEntries = 4;

/**
 * The series with their colours and shapes. A click shows one series alone, a second click shows all. With
 * Shift it hides or shows one.
 */
export function Legend({ title, series, choices, hidden, onChange }: LegendProps) {
  const entries = series.map((entry, i) => ({
    entry,
    position: i < choices ? i : hiddenShape(entry.symbol!),
  }));
  const choose = (position: number, adds: boolean) => {
    // Colours are left alone among colours, shapes among shapes.
    const alike = entries.map(one => one.position).filter(other => other < 0 === position < 0);
    const others = [...hidden].filter(other => other < 0 !== position < 0);
    const own = alike.filter(other => hidden.has(other));
    if (adds) {
      const next = hidden.has(position) ? own.filter(other => other !== position) : [...own, position];
      return onChange(new Set([...others, ...(next.length === alike.length ? [] : next)]));
    }
    const isAlone = !hidden.has(position) && own.length === alike.length - 1;
    return onChange(new Set([...others, ...(isAlone ? [] : alike.filter(other => other !== position))]));
  };
  return (
    <ul className="order-last flex max-w-full flex-wrap justify-end gap-x-1 text-12 text-text-2">
      {title === undefined ? null : <li className="max-w-40 truncate px-1 text-text-3">{title}</li>}
      {entries.map(({ entry, position }) => (
        <li key={position} className="max-w-full">
          <button
            type="button"
            aria-pressed={!hidden.has(position)}
            title={`${entry.label}\n${t.tile.legendHint}`}
            className={`flex items-center gap-1.5 rounded px-1 hover:bg-hover ${
              entries.length > fewEntries ? 'max-w-40' : 'max-w-full'
            } ${hidden.has(position) ? 'opacity-40' : ''}`}
            onClick={event => choose(position, event.shiftKey)}
            onDoubleClick={() => onChange(new Set())}
          >
            <Sign {...entry} />
            <span className="truncate">{entry.label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A stroke of the colour, or the shape of the points. */
function Sign({ colour, symbol }: LegendEntry) {
  if (symbol === undefined)
    return (
      <span aria-hidden className="h-[3px] w-2.5 shrink-0 rounded-full" style={{ background: colour }} />
    );
  return (
    <svg aria-hidden width="12" height="12" className="shrink-0">
      <path d={symbolPath(symbol, 6, 6, 4)} fill={colour} />
    </svg>
  );
}
