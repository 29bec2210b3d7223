/** Names a request of a tool, so that it is found again. No other program knows these random names. */
export const callHeader = 'x-belvedere-call';

/** The requests that tools of assistants are sending to the server within its process, by their names. */
export class ToolCalls {
  readonly #signals = new Map<string, AbortSignal | undefined>();

  /** @returns the name of a new call, and a function that ends it */
  begin(signal: AbortSignal | undefined): { readonly name: string; readonly end: () => void } {
    const name = crypto.randomUUID();
    this.#signals.set(name, signal);
    return { name, end: () => this.#signals.delete(name) };
  }

  /** Whether a request comes from a tool. */
  has({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
    return this.#signals.has(String(headers[callHeader]));
  }

  /** Returns what aborts when the assistant cancels the call of a request, or leaves. */
  signalOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): AbortSignal | undefined {
    return this.#signals.get(String(headers[callHeader]));
  }
}
