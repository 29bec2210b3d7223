import type { Field } from '@belvedere/api';
import { placeName } from '@belvedere/chart';
import { groupsOf, slotsOf } from '@belvedere/query';
import type { Picture } from '../live/live-tile.ts';
import { locale, t } from '../messages/messages.ts';
import { full } from './describe.ts';

const mostRows = 1000;

/** The same numbers as the picture, as a table. */
export function TwinTable({ picture, measure, title, labelOf }: { readonly picture: Picture; readonly measure: Field; readonly title: string; readonly labelOf: (field: string) => string }) {
  const { axes, values } = picture;
  const sizes = axes.map(slotsOf);
  const rows = Array.from({ length: groupsOf(axes) }, (_, group) => group).filter(group => !Number.isNaN(values[group]!) && (values[group] !== 0 || axes.length < 2)).filter(group => places(group, sizes).every((place, i) => axes[i]!.kind === 'categories' || values[group] !== 0 || place < sizes[i]! - 2));
  return (
    <div className="size-full overflow-auto" tabIndex={0} role="region" aria-label={t.table.region(title)}>
      <table className="w-full text-12">
        <thead className="sticky top-0 bg-surface text-left text-text-2">
          <tr>
            {axes.map(axis => <th key={axis.channel} className="h-7 border-b border-border px-2 font-medium">{labelOf(axis.field)}</th>)}
            <th className="border-b border-border px-2 text-right font-medium">{measure.label}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map(group => (
            <tr key={group}>
              {places(group, sizes).map((place, i) => <td key={axes[i]!.channel} className="h-7 border-b border-border px-2">{placeName(axes[i]!, place, locale)}</td>)}
              <td className="tabular border-b border-border px-2 text-right">{full(values[group]!, measure)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A group's slot on each axis. */
function places(group: number, sizes: readonly number[]): number[] {
  let rest = group;
  return sizes.toReversed().map(size => {
    const place = rest % size;
    rest = Math.floor(rest / size);
    return place;
  }).toReversed();
}
