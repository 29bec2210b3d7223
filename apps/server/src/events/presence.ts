/** A window's open document, its selection in it, and whether it edits. */
export interface Whereabouts {
  readonly document: string;
  readonly position?: string;
  readonly isEditing: boolean;
  readonly user?: { readonly id: string; readonly name: string };
}

export interface PresentWindow extends Whereabouts {
  readonly window: string;
}

/**
 * Tracks the windows that have a document open. A window is present as long as its event stream is open, so a
 * machine that goes to sleep needs no message.
 */
export class Presence {
  readonly #here = new Map<string, Whereabouts | undefined>();
  /**
   * Number of event streams per window: a new one may open before the previous one is known to have ended.
   */
  readonly #streams = new Map<string, number>();
  readonly #users = new Map<string, string>();
  readonly #listeners = new Set<(document: string, windows: readonly PresentWindow[]) => void>();

  /**
   * Counts a window's new event stream. @returns false if it is the window of another user, who alone may use
   * its ID
   */
  enter(window: string, userId: string): boolean {
    if (this.isOthers(window, userId)) return false;
    this.#users.set(window, userId);
    this.#streams.set(window, (this.#streams.get(window) ?? 0) + 1);
    this.#here.set(window, this.#here.get(window));
    return true;
  }

  /** Whether an ID is that of another user's window, as far as it is open. */
  isOthers(window: string, userId: string): boolean {
    return (this.#users.get(window) ?? userId) !== userId;
  }

  leave(window: string): void {
    const others = (this.#streams.get(window) ?? 1) - 1;
    if (others > 0) return void this.#streams.set(window, others);
    this.#streams.delete(window);
    this.#users.delete(window);
    this.#move(window, undefined);
    this.#here.delete(window);
  }

  /**
   * Sets a window's position; undefined if it has no document open. Windows without an event stream are
   * ignored.
   */
  put(window: string, at: Whereabouts | undefined): void {
    if (this.#here.has(window)) this.#move(window, at);
  }

  /** Returns the windows that have a document open, in the order they arrived. */
  on(document: string): PresentWindow[] {
    return [...this.#here].flatMap(([window, at]) => (at?.document === document ? [{ window, ...at }] : []));
  }

  /** Notifies of each document whose windows change. */
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
