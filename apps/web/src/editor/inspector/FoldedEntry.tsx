import { Children, type ReactNode } from 'react';

interface FoldedEntryProps {
  /** What it is, in a line. */
  readonly title: ReactNode;
  /**
   * What can be done with it as a whole, small icon buttons: they lie over the line that unfolds it, and not
   * in it, since a control holds no other.
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
