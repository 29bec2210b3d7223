import { t } from '../messages/messages.ts';

interface LegendProps {
  /** What the names are of, where that is said. */
  readonly title?: string | undefined;
  readonly series: readonly { readonly label: string; readonly colour: string }[];
  readonly hidden: ReadonlySet<number>;
  readonly onChange: (hidden: ReadonlySet<number>) => void;
}

/** What the colours stand for. A click leaves one series alone, a second one brings all back; with Shift it takes one away or back. */
export function Legend({ title, series, hidden, onChange }: LegendProps) {
  const choose = (place: number, adds: boolean) => {
    if (adds) {
      const next = new Set(hidden);
      if (!next.delete(place)) next.add(place);
      return onChange(next.size === series.length ? new Set() : next);
    }
    const isAlone = !hidden.has(place) && hidden.size === series.length - 1;
    return onChange(isAlone ? new Set() : new Set(series.keys().filter(other => other !== place)));
  };
  return (
    <ul className="flex max-w-[60%] flex-wrap justify-end gap-x-1 text-12 text-text-2">
      {title === undefined ? null : <li className="max-w-40 truncate px-1 text-text-3">{title}</li>}
      {series.map(({ label, colour }, place) => (
        <li key={label}>
          <button
            type="button"
            aria-pressed={!hidden.has(place)}
            title={t.tile.legendHint}
            className={`flex max-w-40 items-center gap-1.5 rounded px-1 hover:bg-hover ${hidden.has(place) ? 'opacity-40' : ''}`}
            onClick={event => choose(place, event.shiftKey)}
            onDoubleClick={() => onChange(new Set())}
          >
            <span aria-hidden className="h-[3px] w-2.5 shrink-0 rounded-full" style={{ background: colour }} />
            <span className="truncate">{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
