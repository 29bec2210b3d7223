/**
 * A browser of one of the three engines, driven by what all of them support. Positions are CSS pixels from
 * the window's upper left corner.
 */
export interface Driver {
  newTab(size: Size): Promise<Tab>;
  /** A narrow tab that is touched, as wide as the engine's window allows: 390 pixels, WebKitGTK's 450. */
  newPhone(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Place = readonly [x: number, y: number];

export interface Tab {
  goto(address: string): Promise<void>;
  back(): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page. It sees its arguments alone, which are JSON, as is its result. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /**
   * Moves the pointer to the first place, presses, moves through the others, and lifts at the last unless it
   * is held.
   */
  drag(places: readonly Place[], options?: { readonly isHeld?: boolean }): Promise<void>;
  /** Moves the pointer through places, pressed as it is. */
  move(places: readonly Place[]): Promise<void>;
  lift(): Promise<void>;
  /** Touches the first place, waits, moves through the others, and lifts at the last. */
  touch(places: readonly Place[], options?: { readonly waitMs?: number }): Promise<void>;
  /** Presses keys together, such as `Control+k`. */
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Errors of the console, exceptions and violations of the CSP since the tab was opened. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Console messages about a stopped server or a missing object, which the tests cause on purpose. */
export const expectedFaults =
  /404|412|503|ERR_CONNECTION|ERR_INCOMPLETE|NetworkError|Failed to load resource|connection was lost|interrupted while the page was loading/i;
