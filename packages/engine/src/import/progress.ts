/**
 * Reading a file takes many statements, and the engine says of each alone how far it is. Called before one: how much of the whole is done when
 * it begins, and when it ends, in hundredths.
 */
export type Stage = (from: number, to: number) => void;

/** Puts the parts together: how far all of it is, from how far the statement that runs is. It never falls. */
export class Stages {
  #from = 0;
  #to = 100;
  #percent = 0;

  readonly begin: Stage = (from, to) => {
    this.#from = from;
    this.#to = to;
  };

  /** @param percentage of the statement that runs, below zero where none does */
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
