/**
 * Importing a file takes many statements, and the engine reports the progress of each statement separately.
 * Call before a statement with the overall percentage at its start and at its end.
 */
export type Stage = (from: number, to: number) => void;

/** Computes the overall progress from the progress of the current statement. It never decreases. */
export class Stages {
  #from = 0;
  #to = 100;
  #percent = 0;

  readonly begin: Stage = (from, to) => {
    this.#from = from;
    this.#to = to;
  };

  /** @param percentage of the current statement, negative if none runs */
  percent(percentage: number): number {
    this.#percent = Math.max(
      this.#percent,
      Math.floor(this.#from + ((this.#to - this.#from) * Math.min(100, Math.max(0, percentage))) / 100),
    );
    return this.#percent;
  }
}

/** The stages of one part of a stage. */
export function within(stage: Stage, from: number, to: number): Stage {
  return (start, end) => stage(from + ((to - from) * start) / 100, from + ((to - from) * end) / 100);
}

/** The part `i` of `count` equal parts of a stage. */
export function partOf(stage: Stage, i: number, count: number): Stage {
  return within(stage, (i / count) * 100, ((i + 1) / count) * 100);
}
