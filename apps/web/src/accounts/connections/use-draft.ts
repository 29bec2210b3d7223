import { useState } from 'react';

type TextField<Draft> = { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft] &
  string;

/**
 * The draft of a form. Its fields are marked as wrong once it is to be sent, until they change.
 *
 * @param wrongFields Returns the fields that cannot be sent.
 * @param onChange Called when the draft changes, so that what was said about it can be forgotten.
 */
export function useDraft<Draft extends object>(
  initial: () => Draft,
  wrongFields: (draft: Draft) => ReadonlySet<string>,
  onChange: () => void,
) {
  const [draft, setDraft] = useState(initial);
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const set = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setWrong(wrong.difference(new Set(Object.keys(changes))));
    onChange();
  };
  return {
    draft,
    set,
    /** The properties of a text field. */
    text: (field: TextField<Draft>, error?: string) => ({
      value: draft[field] as string,
      onChange: (value: string) => set({ [field]: value } as unknown as Partial<Draft>),
      ...(error !== undefined && wrong.has(field) && { error }),
    }),
    /** Marks wrong fields. @returns whether there are none */
    isComplete: () => {
      const found = wrongFields(draft);
      setWrong(found);
      return found.size === 0;
    },
  };
}
