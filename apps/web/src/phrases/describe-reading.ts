import { searchFromState, type ModelSummary, type Search } from '@belvedere/api';
import { measureName } from '@belvedere/document';
import type { PhrasePart, PhraseReading } from '@belvedere/query';
import { formatList } from '@belvedere/chart';
import {
  describeCondition,
  fieldFormat,
  fieldLabel,
  measureField,
  tileTitle,
} from '../dashboard/tiles/describe.ts';
import { locale, t } from '../messages/messages.ts';

/** A reading of a phrase in words: the chart's title, and how each part was understood. */
export function describeReading(
  reading: PhraseReading,
  model: ModelSummary,
): { readonly title: string; readonly detail: string; readonly unknown: string | undefined } {
  const limit = reading.parts.find(part => part.role === 'limit');
  const title = tileTitle(reading.tile, model);
  return {
    title: limit ? t.phrases.limited(title, limit.count, limit.isLowest) : title,
    detail: reading.parts.flatMap(part => describePart(part, model) ?? []).join(' · '),
    unknown:
      reading.unknown.length > 0
        ? t.phrases.unknown(
            formatList(
              reading.unknown.map(word => `“${word}”`),
              locale,
            ),
          )
        : undefined,
  };
}

function describePart(part: PhrasePart, model: ModelSummary): string | undefined {
  switch (part.role) {
    case 'measure':
      return t.phrases.measure(measureField(measureName(part.encoding), model).label);
    case 'by':
      return t.phrases.by(
        part.timeUnit
          ? `${fieldLabel([model], part.field)} (${t.units[part.timeUnit] ?? part.timeUnit})`
          : fieldLabel([model], part.field),
      );
    case 'filter':
    case 'period':
      return t.phrases.filter(
        fieldLabel([model], part.field),
        describeCondition(part.condition, fieldFormat([model], part.field)),
      );
    default:
      return undefined;
  }
}

/** The address's search of Explore that shows a reading. */
export function searchOfReading({ tile, filters }: PhraseReading): Search {
  return {
    chart: JSON.stringify(tile),
    ...searchFromState({ page: 0, filters: { ...filters }, selections: {} }),
  };
}
