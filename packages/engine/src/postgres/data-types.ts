import type { DataType } from '@belvedere/model';

/** By the names of `format_type`. */
export const typesByName: Readonly<Record<string, DataType>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  date: 'date',
  'timestamp without time zone': 'time',
  'timestamp with time zone': 'instant',
  text: 'text',
  'character varying': 'text',
  character: 'text',
  '"char"': 'text',
  name: 'text',
  uuid: 'text',
  citext: 'text',
  'time without time zone': 'text',
  inet: 'text',
  cidr: 'text',
  money: 'text',
};

/** By OID. */
export const typesByOid = new Map<number, DataType>([
  [20, 'integer'],
  [21, 'integer'],
  [23, 'integer'],
  [1700, 'decimal'],
  [700, 'number'],
  [701, 'number'],
  [16, 'boolean'],
  [1082, 'date'],
  [1114, 'time'],
  [1184, 'instant'],
  [25, 'text'],
  [1043, 'text'],
  [1042, 'text'],
  [2950, 'text'],
]);
