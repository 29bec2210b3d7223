import { formatNumber } from '@belvedere/chart';
import { Button } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { locale, t } from '../messages/messages.ts';
import { downloads, type Download } from './download-store.ts';

/**
 * Toasts for downloads in progress, copies, removed dashboards and failures. The region is always rendered,
 * since some screen readers do not announce a region that has just appeared.
 */
export function DownloadToasts() {
  const { all } = useSyncExternalStore(downloads.subscribe, downloads.getState);
  return (
    <div
      role="status"
      aria-atomic="false"
      className="no-print fixed end-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2"
    >
      {all.map(({ id, message, end }) => (
        <div
          key={id}
          role={message.kind === 'failed' ? 'alert' : undefined}
          className="enter flex items-center gap-2 rounded-tile border border-border bg-raised px-3 py-2 text-13 shadow-float"
        >
          <span className={`min-w-0 flex-1 ${message.kind === 'failed' ? 'text-bad' : ''}`}>
            {textOf(message)}
          </span>
          {message.kind === 'removed' ? (
            <Button look="quiet" onPress={message.undo}>
              {t.downloads.undo}
            </Button>
          ) : null}
          <Button look="quiet" onPress={end}>
            {message.kind === 'downloading' ? t.downloads.stop : t.downloads.close}
          </Button>
        </div>
      ))}
    </div>
  );
}

function textOf(message: Download['message']): string {
  if (message.kind === 'failed') return message.problem;
  if (message.kind === 'copied') return t.downloads.copied;
  if (message.kind === 'removed') return t.downloads.removed(message.title);
  return message.bytes === 0
    ? t.downloads.making(t.formats[message.format])
    : t.downloads.coming(t.formats[message.format], formatNumber(message.bytes, 'bytes', locale, 'full'));
}
