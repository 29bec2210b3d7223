/** A query that does not fit its model. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: 'field-unknown' | 'type-mismatch';

  constructor(code: QueryError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
