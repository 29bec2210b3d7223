import type { Field } from '@belvedere/api';
import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import type { LiveTile, TileView } from '../../../live/live-tile.ts';
import { failureOf } from '../TileBody.tsx';

// Only some dashboards have texts, so their code loads when it is needed.
const TextView = lazyComponent(() => import('./TextView.tsx').then(module => module.TextView));

interface TextTileProps {
  readonly text: string;
  readonly live: LiveTile;
  readonly view: TileView;
  /** The measures whose values are in the text. */
  readonly measures: readonly Field[];
}

/** A tile of text, which may contain values of measures. */
export function TextTile({ text, live, view, measures }: TextTileProps) {
  return (
    <section
      title={view.status === 'failed' && measures.length > 0 ? failureOf(view).title : undefined}
      className="size-full px-1 py-1.5"
    >
      <LazyBoundary fallback={null}>
        <TextView text={text} live={live} measures={measures} isFailed={view.status === 'failed'} />
      </LazyBoundary>
    </section>
  );
}
