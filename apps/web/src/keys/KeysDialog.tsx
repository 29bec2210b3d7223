import { Checkbox, Modal } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { areLettersHeard, hearLetters, keysNow } from './keys.ts';
import { pressed } from './press-text.ts';

/** Which keys do something here. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [groups] = useState(listed);
  const [letters, setLetters] = useState(areLettersHeard);
  return (
    <Modal label={t.keys.title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-3xl">
      <div className="flex max-h-[76vh] flex-col">
        <h2 className="px-5 pt-5 text-15 font-semibold">{t.keys.title}</h2>
        <div
          role="group"
          aria-label={t.keys.title}
          tabIndex={0}
          className="min-h-0 flex-1 columns-2 gap-8 overflow-auto px-5 py-3 max-md:columns-1"
        >
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
        </div>
        <div className="border-t border-border px-5 py-3">
          <Checkbox
            isSelected={letters}
            onChange={isOn => {
              hearLetters(isOn);
              setLetters(isOn);
            }}
          >
            {t.keys.letters}
          </Checkbox>
          <p className="pt-1 text-12 text-text-2">{t.keys.lettersHint}</p>
        </div>
      </div>
    </Modal>
  );
}

/** Those that are named, of one title together; what is so everywhere comes last. */
function listed() {
  const byTitle = Map.groupBy(keysNow(), group => group.title);
  const groups = [...byTitle].map(([title, of]) => ({
    title,
    keys: of.flatMap(group => group.keys).filter(key => key.label !== undefined),
  }));
  return groups.toSorted(
    (a, b) => Number(a.title === t.keys.everywhere) - Number(b.title === t.keys.everywhere),
  );
}
