import type { Tile } from '@belvedere/document';
import { Button } from '@belvedere/ui';
import { t } from '../../messages/messages.ts';

/** A message in place of a chart, with an action. */
export function TileMessage({
  title,
  text,
  original,
  action,
  onAction,
}: {
  readonly title: string;
  readonly text: string;
  readonly original?: string | undefined;
  readonly action?: string;
  readonly onAction?: () => void;
}) {
  return (
    <div
      role="status"
      className="flex size-full flex-col items-center items-center-safe justify-center justify-center-safe gap-x-3 gap-y-1 overflow-auto p-2 text-center md:in-data-low:flex-row md:in-data-low:p-0 md:in-data-low:text-start"
    >
      <div className="flex min-w-0 flex-col items-center gap-1 md:in-data-low:items-start md:in-data-low:gap-0">
        <p className="text-13 font-medium">{title}</p>
        <p className="max-w-prose text-12 text-text-2">{text}</p>
        {original ? (
          <p lang="en" className="max-w-prose text-12 text-text-3">
            {original}
          </p>
        ) : null}
      </div>
      {action ? (
        <Button className="mt-1.5 shrink-0 md:in-data-low:mt-0" onPress={() => onAction?.()}>
          {action}
        </Button>
      ) : null}
    </div>
  );
}

const bars = [40, 65, 50, 80, 60, 90, 70, 55, 75, 45];

/** A placeholder, which appears after a moment. */
export function TileSkeleton({ kind }: { readonly kind: Tile['kind'] }) {
  if (kind === 'kpi')
    return <div role="status" aria-label={t.tile.loading} className="soon h-8 w-28 rounded bg-hover" />;
  return (
    <div role="status" aria-label={t.tile.loading} className="soon flex size-full items-end gap-2 px-2 pb-4">
      {bars.map(height => (
        <div key={height} className="flex-1 rounded-t bg-hover" style={{ height: `${height}%` }} />
      ))}
    </div>
  );
}

/** Says beside the title that the picture is an earlier one, since the server could not be reached. */
export function Outdated({ onRetry }: { readonly onRetry: (() => void) | undefined }) {
  return (
    <p role="status" className="flex shrink-0 items-center gap-2 text-11 leading-[18px] text-warn">
      {/* Beside both, the title of a figure on a phone would be cut to two letters. */}
      <span className={onRetry && 'max-md:in-[.tile-kpi]:sr-only'}>{t.tile.notUpdated}</span>
      {onRetry ? (
        <button type="button" className="text-accent-text underline pointer-coarse:h-11" onClick={onRetry}>
          {t.tile.retry}
        </button>
      ) : null}
    </p>
  );
}

/**
 * A line that runs along the top while a newer answer is fetched; it shows itself only when that takes longer
 * than a moment.
 */
export function Refreshing() {
  return (
    <div aria-hidden className="late absolute inset-x-0 top-0 h-0.5 overflow-hidden rounded-t-tile">
      <div className="sweep h-full w-1/3 bg-accent" />
    </div>
  );
}
