/** Each code that a problem may have, with its status and title; each has a page in docs/errors. */
export const problemTypes = {
  'document-invalid': [422, 'The document has errors'],
  'revision-conflict': [412, 'It changed in the meantime'],
  'not-found': [404, 'Not here, or not shared with you'],
  'not-signed-in': [401, 'Not signed in'],
  'not-allowed': [403, 'Not allowed'],
  'request-invalid': [400, 'The request is not understood'],
  'field-unknown': [422, 'No such field'],
  'type-mismatch': [422, 'Types do not fit'],
  'expression-invalid': [422, 'The expression has an error'],
  'function-unsupported': [422, 'No such function'],
  'source-unreachable': [503, 'The source cannot be reached'],
  'source-refused': [502, 'The source refused'],
  'table-gone': [422, 'A table is missing'],
  'column-gone': [422, 'A column is missing'],
  'still-reading': [503, 'Still being read'],
  'query-failed': [422, 'The engine refused the question'],
  'query-timeout': [504, 'The question took too long'],
  'query-cancelled': [499, 'The question was cancelled'],
  'query-too-large': [413, 'The answer is too large'],
  'file-unreadable': [422, 'A file could not be read'],
  'rate-limited': [429, 'Too many requests'],
  overloaded: [503, 'Too many questions at once'],
  'state-unavailable': [503, 'Saving is not possible at present'],
  internal: [500, 'Something went wrong here'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type ProblemType = keyof typeof problemTypes;
