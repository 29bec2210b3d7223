import { chartTitle } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { isOfGroups, isOfRows, tileShape } from '@belvedere/query';
import { measureLabel } from '../queries/models/measure-label.ts';

/** A tile's own title, else the labels of its measures. */
export function titleOf(tile: Tile, model: Model | undefined, locale: string): string {
  if (tile.title) return tile.title;
  if (tile.kind === 'image') return tile.alt;
  if (!model || tile.kind === 'text' || tile.kind === 'control') return '';
  const shape = tileShape(tile, model);
  if (tile.kind === 'table') return model.label;
  const labelOf = (field: string) => model.dimensions[field]?.label ?? field;
  const what =
    isOfRows(tile) || tile.kind === 'boxplot'
      ? labelOf(tile.y.field)
      : isOfGroups(tile) && shape.kind === 'cells'
        ? shape.measures
            .slice(0, 2)
            .toReversed()
            .map(name => measureLabel(model, name, locale))
            .join(', ')
        : shape.kind === 'cells'
          ? measureLabel(model, shape.measures[0]!, locale)
          : model.label;
  return chartTitle(tile, what, labelOf, model.time, locale);
}
