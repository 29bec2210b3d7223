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
  /** Windows of other servers, by server and document. */
  readonly #elsewhere = new Map<string, Map<string, readonly PresentWindow[]>>();
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

  /** Whether an ID is that of another user's window, as far as it is open, here or at another server. */
  isOthers(window: string, userId: string): boolean {
    const known = this.#users.get(window);
    if (known !== undefined) return known !== userId;
    return [...this.#elsewhere.values()].some(documents =>
      [...documents.values()]
        .flat()
        .some(one => one.window === window && (one.user?.id ?? userId) !== userId),
    );
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

  /**
   * Returns the windows that have a document open: those of this server in the order they arrived, then those
   * of others.
   */
  on(document: string): PresentWindow[] {
    const elsewhere = [...this.#elsewhere.values()].flatMap(documents => documents.get(document) ?? []);
    return [...this.hereOn(document), ...elsewhere];
  }

  /** Returns the windows of this server that have a document open. */
  hereOn(document: string): PresentWindow[] {
    return [...this.#here].flatMap(([window, at]) => (at?.document === document ? [{ window, ...at }] : []));
  }

  /** The documents that windows of this server have open. */
  get documentsHere(): ReadonlySet<string> {
    return new Set([...this.#here.values()].flatMap(at => (at ? [at.document] : [])));
  }

  /** Sets which windows of another server have a document open. */
  setElsewhere(server: string, document: string, windows: readonly PresentWindow[]): void {
    const documents = this.#elsewhere.get(server) ?? new Map<string, readonly PresentWindow[]>();
    const isSame = JSON.stringify(documents.get(document) ?? []) === JSON.stringify(windows);
    if (windows.length > 0) documents.set(document, windows);
    else documents.delete(document);
    this.#elsewhere.set(server, documents);
    if (!isSame) this.#tell(document);
  }

  /** Forgets the windows of a server that has ended. */
  forgetServer(server: string): void {
    const documents = this.#elsewhere.get(server);
    this.#elsewhere.delete(server);
    for (const document of documents?.keys() ?? []) this.#tell(document);
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
      if (document !== undefined) this.#tell(document);
  }

  #tell(document: string): void {
    for (const listener of this.#listeners) listener(document, this.on(document));
  }
}
