import { createContext, useContext } from 'react';

/** Another window on the same document, by the colour and the name it has here: its user's, if there are accounts. */
export interface OtherWindow {
  readonly window: string;
  readonly position: string | undefined;
  readonly colour: string;
  readonly name: string;
  readonly initials: string | undefined;
}

export const OtherWindowsContext = createContext<readonly OtherWindow[]>([]);

/** The other windows that have the document open; only those at a place, where one is named. */
export function useOtherWindows(position?: string): readonly OtherWindow[] {
  const others = useContext(OtherWindowsContext);
  return position === undefined ? others : others.filter(other => other.position === position);
}
