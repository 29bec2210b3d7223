/** Where a window is: which document it has open, what of it is chosen, whether it changes it. */
export interface Whereabouts {
  readonly document: string;
  readonly position?: string;
  readonly isEditing: boolean;
}

export interface PresentWindow extends Whereabouts {
  readonly window: string;
}

/**
 * Who has what open right now. A window is here for as long as it hears our events, and gone the moment it does not: nothing has to be
 * told when somebody's machine goes to sleep.
 */
export class Presence {
  readonly #here = new Map<string, Whereabouts | undefined>();
  /** How many streams a window hears: it may begin another before the one before is known to have ended. */
  readonly #streams = new Map<string, number>();
  readonly #listeners = new Set<(document: string, windows: readonly PresentWindow[]) => void>();

  /** A window has begun to hear. */
  enter(window: string): void {
    this.#streams.set(window, (this.#streams.get(window) ?? 0) + 1);
    this.#here.set(window, this.#here.get(window));
  }

  leave(window: string): void {
    const others = (this.#streams.get(window) ?? 1) - 1;
    if (others > 0) return void this.#streams.set(window, others);
    this.#streams.delete(window);
    this.#move(window, undefined);
    this.#here.delete(window);
  }

  /** Where a window is now; nowhere where it has nothing open. Windows that do not hear us are not believed. */
  put(window: string, at: Whereabouts | undefined): void {
    if (this.#here.has(window)) this.#move(window, at);
  }

  /** Those that have a document open, in the order they came. */
  on(document: string): PresentWindow[] {
    return [...this.#here].flatMap(([window, at]) => (at?.document === document ? [{ window, ...at }] : []));
  }

  /** Hears of every document whose windows are others than before. */
  subscribe(listener: (document: string, windows: readonly PresentWindow[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #move(window: string, at: Whereabouts | undefined): void {
    const before = this.#here.get(window);
    if (JSON.stringify(before) === JSON.stringify(at)) return;
    this.#here.set(window, at);
    for (const document of new Set([before?.document, at?.document]))
      if (document !== undefined)
        for (const listener of this.#listeners) listener(document, this.on(document));
  }
}
