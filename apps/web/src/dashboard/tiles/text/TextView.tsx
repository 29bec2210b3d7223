import type { Field } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { replaceMeasures } from '@belvedere/document';
import type { LiveTile } from '../../../live/live-tile.ts';
import { locale } from '../../../messages/messages.ts';
import { markdownHtml } from './markdown-html.ts';
import { useLiveValues } from '../use-live-values.ts';

interface TextViewProps {
  readonly text: string;
  readonly live: LiveTile;
  /** Of the figures it names, in their order. */
  readonly measures: readonly Field[];
  /** Whether the measures in the text could not be queried. */
  readonly isFailed: boolean;
}

/**
 * Markdown. HTML is shown as text, and links lead to web pages only. `{{ measure }}` is replaced by its
 * value, which follows a brush.
 */
export function TextView({ text, live, measures, isFailed }: TextViewProps) {
  useLiveValues(live);
  const values = measures.length > 0 ? live.current('main') : undefined;
  const written = replaceMeasures(text, name => {
    if (isFailed) return '–';
    const at = measures.findIndex(measure => measure.name === name);
    return values
      ? formatNumber(values[at] ?? Number.NaN, measures[at]?.format, locale, 'label', measures[at]?.unit)
      : '…';
  });
  return (
    <div
      className="prose-tile size-full overflow-auto text-13 text-text"
      dangerouslySetInnerHTML={{ __html: markdownHtml(written) }}
    />
  );
}
