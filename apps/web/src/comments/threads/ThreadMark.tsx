import { MessageSquare } from 'lucide-react';
import { t } from '../../messages/messages.ts';

/** The touch target is larger than the visible mark. */
const look =
  'no-print tabular relative flex h-[18px] shrink-0 items-center gap-1 rounded-control bg-accent-weak px-1.5 ' +
  'text-11 text-accent-text hover:brightness-95 pointer-coarse:after:absolute pointer-coarse:after:-inset-3';

/** The number of open threads about a tile, in its header. */
export function ThreadMark({ count, onPress }: { readonly count: number; readonly onPress: () => void }) {
  const label = t.comments.onTile(count);
  return (
    <button type="button" aria-label={label} title={label} onClick={onPress} className={look}>
      <MessageSquare size={12} aria-hidden />
      {count}
    </button>
  );
}
