import { mergeDocuments } from '@belvedere/document';

/** One step of undo, with the name that its button shows. */
export interface Step {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Consecutive steps of the same kind, such as typing, become one. */
  readonly joins?: string;
  readonly at: number;
}

export interface History {
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

export const noHistory: History = { past: [], future: [] };

const joinMs = 800;
const maxSteps = 1000;

export function record({ past }: History, step: Step): History {
  const last = past.at(-1);
  if (
    last &&
    step.joins !== undefined &&
    last.joins === step.joins &&
    last.after === step.before &&
    step.at - last.at < joinMs
  )
    return { past: [...past.slice(0, -1), { ...step, before: last.before }], future: [] };
  return { past: [...past.slice(-maxSteps), step], future: [] };
}

/** Removes the last step from the text. Changes from the disk or other windows stay. */
export function undo(
  { past, future }: History,
  text: string,
): { readonly history: History; readonly text: string; readonly step: Step } | undefined {
  const step = past.at(-1);
  if (!step) return undefined;
  return {
    history: { past: past.slice(0, -1), future: [...future, step] },
    text: text === step.after ? step.before : mergeDocuments(step.after, step.before, text).text,
    step,
  };
}

export function redo(
  { past, future }: History,
  text: string,
): { readonly history: History; readonly text: string; readonly step: Step } | undefined {
  const step = future.at(-1);
  if (!step) return undefined;
  return {
    history: { past: [...past, step], future: future.slice(0, -1) },
    text: text === step.before ? step.after : mergeDocuments(step.before, step.after, text).text,
    step,
  };
}
