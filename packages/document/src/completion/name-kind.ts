/** The kinds of names that documents use: parts of models, of dashboards, and recipients. */
export type NameKind =
  | 'field'
  | 'measure'
  | 'either'
  | 'model'
  | 'dashboard'
  | 'tile'
  | 'page'
  | 'parameter'
  | 'user'
  | 'group'
  | 'channel'
  | 'dimension'
  | 'table'
  | 'source'
  | 'column'
  | 'joined column'
  | 'expression';
