import { useSyncExternalStore } from 'react';

/** Which dashboards this reader has marked, and which were looked at last: kept in this browser. */
export interface LookedAt {
  readonly favourites: readonly string[];
  /** The last first. */
  readonly recent: readonly string[];
}

const key = 'belvedere-looked-at';
const mostRecent = 24;
const nothing: LookedAt = { favourites: [], recent: [] };
const listeners = new Set<() => void>();
let known: LookedAt | undefined;

function current(): LookedAt {
  try {
    known ??= { ...nothing, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<LookedAt>) };
  } catch {
    known = nothing;
  }
  return known;
}

function change(next: LookedAt): void {
  known = next;
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // For this page only, then.
  }
  for (const listener of listeners) listener();
}

export function lookedAt(id: string): void {
  const { recent } = current();
  if (recent[0] !== id) change({ ...current(), recent: [id, ...recent.filter(other => other !== id)].slice(0, mostRecent) });
}

export function markFavourite(id: string, isFavourite: boolean): void {
  const others = current().favourites.filter(other => other !== id);
  change({ ...current(), favourites: isFavourite ? [...others, id] : others });
}

export const useLookedAt = () => useSyncExternalStore(
  listener => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  current,
);
