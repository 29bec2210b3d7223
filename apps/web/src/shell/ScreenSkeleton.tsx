import { t } from '../messages/messages.ts';

const rows = ['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'];

/** A placeholder for a screen whose code is loading, which appears after a moment. */
export function ScreenSkeleton() {
  return (
    <div role="status" aria-label={t.tile.loading} className="soon flex flex-col gap-3 pt-5">
      <div className="h-5 w-40 rounded bg-border" />
      <div className="flex flex-col gap-4 rounded-tile border border-border bg-surface p-4">
        {rows.map(width => (
          <div key={width} className={`h-3 rounded bg-border ${width}`} />
        ))}
      </div>
    </div>
  );
}
