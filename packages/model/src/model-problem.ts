/** An error in a model with respect to its table; `path` is its position in the file. */
export interface ModelProblem {
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
}
