import { Star } from 'lucide-react';
import { markFavourite } from '../../../data/session/user-preferences.ts';
import { t } from '../../../messages/messages.ts';

/** Marks a dashboard as a favourite, or no longer. */
export function FavouriteStar({
  id,
  title,
  isFavourite,
}: {
  readonly id: string;
  readonly title: string;
  readonly isFavourite: boolean;
}) {
  return (
    <button
      type="button"
      aria-pressed={isFavourite}
      aria-label={t.home.favourite(title)}
      onClick={() => markFavourite(id, !isFavourite)}
      className={
        'me-2 inline-flex size-6 items-center justify-center rounded-control align-middle hover:bg-hover ' +
        `pointer-coarse:size-11 ${isFavourite ? 'text-warn' : 'text-text-3'}`
      }
    >
      <Star size={14} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </button>
  );
}
