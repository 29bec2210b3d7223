import {
  freeName,
  writeDocument,
  type DimensionFile,
  type MeasureFile,
  type ModelFile,
} from '@belvedere/document';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import type { SchemaColumn } from '../model-editor/model-editing.ts';

/**
 * A first model of what SQL gives: every column a dimension, its numbers added up, the first of its times its
 * time.
 */
export function modelFromSql(
  model: string,
  sql: string,
  source: string,
  columns: readonly SchemaColumn[],
): string {
  const taken = new Set<string>();
  const named = columns.map(({ name, type }) => ({
    column: name,
    name: freeName(name, taken),
    type: type as DataType,
  }));
  const dimensions = Object.fromEntries(
    named.map(({ name, column }): [string, DimensionFile] => [name, name === column ? {} : { column }]),
  );
  const measures = Object.fromEntries(
    named
      .filter(({ type }) => isNumeric(type))
      .map(({ name, column }): [string, MeasureFile] => [
        name,
        { expr: `sum(${/^[a-z_][a-z0-9_]*$/i.test(column) ? column : `"${column.replaceAll('"', '""')}"`})` },
      ]),
  );
  const time = named.find(({ type }) => isTemporal(type))?.name;
  const file: ModelFile = {
    version: 1,
    ...(source !== 'files' && { source }),
    sql: tidy(sql),
    ...(time !== undefined && { time }),
    dimensions,
    ...(Object.keys(measures).length > 0 && { measures }),
  };
  return writeDocument(file, 'model', `models/${model}.yaml`);
}

/** As it stands well in a document: no blanks at the ends of lines, no tabs, no empty lines in a row. */
export function tidy(sql: string): string {
  return sql
    .replaceAll('\t', '  ')
    .replace(/\r\n?/g, '\n')
    .replace(/[ ]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
