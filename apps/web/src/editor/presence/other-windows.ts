import { createContext, useContext } from 'react';

/** Another window on the same document, by the colour and the name it has here. */
export interface Other {
  readonly window: string;
  readonly place: string | undefined;
  readonly colour: string;
  readonly name: string;
}

export const OthersContext = createContext<readonly Other[]>([]);

/** The other windows that have the document open; only those at a place, where one is named. */
export function useOthers(place?: string): readonly Other[] {
  const others = useContext(OthersContext);
  return place === undefined ? others : others.filter(other => other.place === place);
}
