import { writeEntries, type ConflictSide, type Conflict } from '@belvedere/document';
import { Button, LazyBoundary, lazyComponent, Modal } from '@belvedere/ui';
import { useState, type ReactNode } from 'react';
import type { Conflicts, EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';

// Loads CodeMirror only for users who open the text.
const TextDiff = lazyComponent(() => import('../text-view/TextDiff.tsx').then(module => module.TextDiff));

/** A text with syntax errors is compared as lines, as one conflict. */
const isWhole = ({ path }: Conflict) => path.length === 0;

/** Where the same thing was changed in two ways, one of them is chosen; the other stays in the history. */
export function ConflictDialog({
  editor,
  conflicts,
  picture,
}: {
  readonly editor: EditedText;
  readonly conflicts: Conflicts;
  /** What it would look like, either way. */ readonly picture?: (
    conflict: Conflict,
    side: ConflictSide,
  ) => ReactNode;
}) {
  const [choices, setChoices] = useState<Readonly<Record<string, ConflictSide>>>({});
  const keyOf = ({ path }: Conflict) => path.join('.');
  const isChosen = conflicts.list.every(conflict => choices[keyOf(conflict)] !== undefined);
  return (
    <Modal label={words.conflict.title} isOpen onOpenChange={() => {}} className="max-w-3xl" hasOwnClose>
      <div className="flex max-h-[75vh] flex-col gap-3 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold">{words.conflict.title}</h2>
        <p className="text-text-2">{words.conflict.text}</p>
        {conflicts.list.map(conflict => (
          <fieldset key={keyOf(conflict)} className="rounded-control border border-border p-3">
            <legend className={`px-1 text-12 text-text-2 ${isWhole(conflict) ? '' : 'font-mono'}`}>
              {isWhole(conflict) ? words.conflict.whole : words.conflict.at(keyOf(conflict))}
            </legend>
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              {(['mine', 'theirs'] as const).map(side => (
                <label
                  key={side}
                  className={`flex flex-col gap-1.5 rounded-control border p-2 ${choices[keyOf(conflict)] === side ? 'border-accent bg-accent-weak' : 'border-border'}`}
                >
                  <span className="flex items-center gap-2 text-13 font-medium">
                    <input
                      type="radio"
                      name={keyOf(conflict)}
                      checked={choices[keyOf(conflict)] === side}
                      onChange={() => setChoices({ ...choices, [keyOf(conflict)]: side })}
                    />
                    {words.conflict[side]}
                  </span>
                  {picture?.(conflict, side)}
                  {isWhole(conflict) ? null : (
                    <pre className="overflow-x-auto font-mono text-12 whitespace-pre-wrap text-text-2">
                      {conflict[side] === undefined
                        ? words.conflict.gone
                        : writeEntries({ [String(conflict.path.at(-1))]: conflict[side] })}
                    </pre>
                  )}
                </label>
              ))}
            </div>
            {isWhole(conflict) ? (
              <div className="mt-3 flex flex-col gap-1.5">
                <p className="text-12 text-text-2">{words.conflict.compare}</p>
                <div className="h-[40vh] overflow-hidden rounded-control border border-border">
                  <LazyBoundary fallback={null}>
                    <TextDiff
                      before={String(conflict.theirs)}
                      after={String(conflict.mine)}
                      label={words.conflict.compare}
                    />
                  </LazyBoundary>
                </div>
              </div>
            ) : null}
          </fieldset>
        ))}
        <div className="flex justify-end">
          <Button
            look="primary"
            isDisabled={!isChosen}
            onPress={() => editor.settleConflicts(conflict => choices[keyOf(conflict)] ?? 'mine')}
          >
            {words.conflict.done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
