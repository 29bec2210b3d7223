import type { Tile } from '@belvedere/document';
import type { TileNote } from '@belvedere/query';
import { isChartTile, type ChannelAxis } from '../chart.ts';
import { chartMessagesIn } from './chart-messages.ts';
import { formatNumber } from './format.ts';
import { undrawnRows } from '../rows/undrawn-rows.ts';

/** The texts for tables of which a part is imported. */
interface PartTexts {
  readonly firstFiles: (files: string, of: string) => string;
  readonly sampled: (percent: string) => string;
}

/** Says how much of a table is shown while the rest is being imported: some of its files, or a share of its rows. */
export function partOfTable(
  { unit, count, of }: Pick<Extract<TileNote, { readonly kind: 'part-of-table' }>, 'unit' | 'count' | 'of'>,
  locale: string,
  { firstFiles, sampled }: PartTexts,
): string {
  if (unit === 'files')
    return firstFiles(
      formatNumber(count, 'integer', locale, 'full'),
      formatNumber(of, 'integer', locale, 'full'),
    );
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 1 });
  return sampled(percent.format(count / of));
}

/** The shown result of a tile. */
interface Shown {
  readonly axes: readonly ChannelAxis[];
  readonly values: Float64Array;
  /** Of each measure, whether it adds up. */
  readonly additive: readonly boolean[];
}

/**
 * Returns the texts that a tile displays about its data beside its title, in the page and in exports: values
 * that are not drawn, filters that do not apply.
 * @param labelOf label of a field
 */
export function tileNotes(
  tile: Tile,
  notes: readonly TileNote[],
  shown: Shown | undefined,
  labelOf: (field: string) => string,
  locale: string,
): string[] {
  const messages = chartMessagesIn(locale);
  const words = messages.notes;
  const texts = notes.flatMap(note => {
    switch (note.kind) {
      case 'filled':
        return [words.filled[note.gaps]];
      case 'ranked-unfiltered':
        return [words.rankedUnfiltered];
      case 'coarser':
        return [words.coarser(note.unit)];
      case 'last-answer':
        return [
          words.lastAnswer(
            new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(note.at),
          ),
        ];
      case 'part-of-table':
        return [partOfTable(note, locale, words)];
      default:
        return [];
    }
  });
  const missed = notes.flatMap(note => (note.kind === 'not-applied' ? [labelOf(note.field)] : []));
  const isChart = shown !== undefined && isChartTile(tile);
  const left = isChart ? undrawnRows(tile, shown.axes, shown.values) : undefined;
  const off =
    isChart && shown.additive.length === 1 && shown.additive[0]
      ? offAxis(shown.axes, shown.values)
      : { outside: 0, none: 0 };
  const share = (value: number) => formatNumber(value, 'percent', locale, 'label');
  return [
    ...texts,
    ...(left ? [messages.undrawnRows[left.why](left.count)] : []),
    ...(missed.length > 0 ? [words.notApplied(missed.join(', '))] : []),
    ...(off.outside >= 0.0005 ? [words.outside(share(off.outside))] : []),
    ...(off.none >= 0.0005 ? [words.noValue(share(off.none))] : []),
  ];
}

/** Returns the shares of an additive measure that lie outside the first axis, or have no value on it. */
function offAxis(axes: readonly ChannelAxis[], values: Float64Array): { outside: number; none: number } {
  const axis = axes[0];
  if (!axis || axis.kind === 'categories') return { outside: 0, none: 0 };
  const per = values.length / (axis.count + 2);
  const sum = (from: number, to: number) =>
    values.subarray(from, to).reduce((total, value) => total + (value || 0), 0);
  const all = sum(0, values.length) || 1;
  return {
    none: sum(axis.count * per, (axis.count + 1) * per) / all,
    outside: sum((axis.count + 1) * per, values.length) / all,
  };
}
