import type { DataType } from '@belvedere/model';

/**
 * Old versions have no type between a date and an instant: a DateTime is an instant, whatever zone it is
 * displayed in.
 */
export function typeOfClickHouse(full: string): DataType {
  const type = full.replace(/^(LowCardinality|Nullable)\((.*)\)$/, '$2').replace(/^Nullable\((.*)\)$/, '$1');
  if (/^U?Int\d+$/.test(type)) return 'integer';
  if (type.startsWith('Float')) return 'number';
  if (type.startsWith('Decimal')) return 'decimal';
  if (/^(String|FixedString|Enum|UUID|IPv)/.test(type)) return 'text';
  if (/^Date(32)?$/.test(type)) return 'date';
  if (type.startsWith('DateTime')) return 'instant';
  return type === 'Bool' ? 'boolean' : 'other';
}
