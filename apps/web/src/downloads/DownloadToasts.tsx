import { formatNumber } from '@belvedere/chart';
import { Button } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { locale, t } from '../messages/messages.ts';
import { downloads, type Download } from './download-store.ts';

/**
 * What is on its way, with how much of it has come, what was copied or moved to the trash, and what did not
 * come, with why. It is there always: what is said in a place that just came is not read out everywhere.
 */
export function DownloadToasts() {
  const { all } = useSyncExternalStore(downloads.subscribe, downloads.getState);
  return (
    <div
      role="status"
      aria-atomic="false"
      className="no-print fixed end-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2"
    >
      {all.map(({ id, said, end }) => (
        <div
          key={id}
          role={said.kind === 'failed' ? 'alert' : undefined}
          className="enter flex items-center gap-2 rounded-tile border border-border bg-raised px-3 py-2 text-13 shadow-float"
        >
          <span className={`min-w-0 flex-1 ${said.kind === 'failed' ? 'text-bad' : ''}`}>{textOf(said)}</span>
          {said.kind === 'removed' ? (
            <Button look="quiet" onPress={said.undo}>
              {t.taking.undo}
            </Button>
          ) : null}
          <Button look="quiet" onPress={end}>
            {said.kind === 'coming' ? t.taking.stop : t.taking.close}
          </Button>
        </div>
      ))}
    </div>
  );
}

function textOf(said: Download['said']): string {
  if (said.kind === 'failed') return said.problem;
  if (said.kind === 'copied') return t.taking.copied;
  if (said.kind === 'removed') return t.taking.removed(said.title);
  return said.bytes === 0
    ? t.taking.making(t.formats[said.format])
    : t.taking.coming(t.formats[said.format], formatNumber(said.bytes, 'bytes', locale, 'full'));
}
