import { useSyncExternalStore } from 'react';
import { t } from '../messages/messages.ts';
import { keysNow, onKeysChanged, type KeyGroup } from './keys.ts';
import { pressed } from './press-text.ts';

/** The shortcuts of the page as it is, by the part that they belong to. */
export function ShortcutList() {
  const groups = listed(useSyncExternalStore(onKeysChanged, keysNow));
  return (
    <>
      {groups.map(group => (
        <section key={group.title} className="mb-4 break-inside-avoid">
          <h3 className="pb-1 text-12 font-medium text-text-2">{group.title}</h3>
          <dl className="text-13">
            {group.keys.map(key => (
              <div
                key={`${key.press} ${key.label}`}
                className="flex min-h-8 items-center justify-between gap-4 border-b border-border last:border-b-0"
              >
                <dt>{key.label}</dt>
                <dd className="flex shrink-0 items-center gap-1">
                  {pressed(key.press).map((part, i) =>
                    'sign' in part ? (
                      <kbd
                        key={i}
                        className="rounded-control border border-border bg-canvas px-1.5 py-0.5 font-sans text-11 text-text-2"
                      >
                        {part.sign}
                      </kbd>
                    ) : (
                      <span key={i} className="text-11 text-text-3">
                        {part.word}
                      </span>
                    ),
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

/** Groups shortcuts by title. Those of every page come last. */
function listed(now: readonly KeyGroup[]) {
  const byTitle = Map.groupBy(now, group => group.title);
  const groups = [...byTitle].map(([title, of]) => ({
    title,
    keys: of.flatMap(group => group.keys).filter(key => key.label !== undefined),
  }));
  return groups.toSorted(
    (a, b) => Number(a.title === t.keys.everywhere) - Number(b.title === t.keys.everywhere),
  );
}
