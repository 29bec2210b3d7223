import { Children, type ReactNode } from 'react';

interface FoldedEntryProps {
  /** A one-line summary. */
  readonly title: ReactNode;
  /**
   * Icon buttons for the whole entry. They lie over the button that unfolds it, because a button cannot
   * contain others.
   */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** An entry of a list that unfolds to be changed. */
export function FoldedEntry({ title, actions, children }: FoldedEntryProps) {
  return (
    <div className="relative rounded-control border border-border">
      <details>
        <summary
          className="truncate px-2 text-13 leading-8"
          style={{ paddingInlineEnd: 8 + 28 * Children.toArray(actions).length }}
        >
          {title}
        </summary>
        <div className="flex flex-col gap-2 p-2">{children}</div>
      </details>
      <span className="absolute end-1 top-1 flex gap-1">{actions}</span>
    </div>
  );
}
