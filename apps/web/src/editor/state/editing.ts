import type { ModelSummary } from '@belvedere/api';
import type { TileKind } from '@belvedere/document';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Change } from './commands.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { DashboardEditor } from './dashboard-editor.ts';
import type { FieldProfiles } from '../encoding/field-profiles.ts';

/** What is being dragged from a list onto the page or a shelf. */
export type Dragged = { readonly kind: TileKind } | { readonly field: string };

/** The context of all parts of the editor. */
export interface Editing {
  readonly editor: DashboardEditor;
  readonly models: readonly ModelSummary[];
  /** Of the dashboard's model. */
  readonly profiles: FieldProfiles | undefined;
  readonly dragged: Dragged | undefined;
  readonly setDragged: (dragged: Dragged | undefined) => void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  return useContext(EditingContext)!;
}

/** Selects a part of an editor's state. Renders again only when that part changes. */
export function useEditor<S, T>(
  editor: { readonly store: Pick<StoreApi<S>, 'subscribe' | 'getState'> },
  pick: (state: S) => T,
): T {
  return useSyncExternalStore(
    listener => editor.store.subscribe(listener),
    () => pick(editor.store.getState()),
  );
}

/** Makes the edits of a command as one step, and selects its result. */
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
