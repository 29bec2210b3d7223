import type { ModelSummary } from '@belvedere/api';
import type { TileKind } from '@belvedere/document';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Change } from './commands.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { DashboardEditor } from './dashboard-editor.ts';
import type { FieldProfiles } from '../encoding/field-profiles.ts';

/** What is being dragged from a list onto the page or a tile's place. */
export type Dragged = { readonly kind: TileKind } | { readonly field: string };

/** What every part of the editor works with. */
export interface Editing {
  readonly editor: DashboardEditor;
  readonly models: readonly ModelSummary[];
  /** Of the dashboard's model. */
  readonly facts: FieldProfiles | undefined;
  readonly dragged: Dragged | undefined;
  readonly setDragged: (dragged: Dragged | undefined) => void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  return useContext(EditingContext)!;
}

/** One thing of an editor's state; what uses it is drawn again only when that is another. */
export function useEditor<S, T>(
  editor: { readonly store: Pick<StoreApi<S>, 'subscribe' | 'getState'> },
  pick: (state: S) => T,
): T {
  return useSyncExternalStore(
    listener => editor.store.subscribe(listener),
    () => pick(editor.store.getState()),
  );
}

/** Makes a command's edits as one step, and chooses what it leaves chosen. */
export function run(
  editor: DashboardEditor,
  name: string,
  { edits, selects }: Change,
  joins?: string,
): boolean {
  const isDone = editor.apply(name, edits, joins);
  if (isDone && selects) editor.select(...selects);
  return isDone;
}
