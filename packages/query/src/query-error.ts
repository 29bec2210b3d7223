/** A question that does not fit its model. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  readonly code: 'field-unknown' | 'type-mismatch';

  constructor(code: QuestionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
