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
 * Returns the YAML of a model of an SQL result: each column is a dimension, each numeric column a sum, and the
 * first date or timestamp its time.
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

/** Removes trailing blanks, tabs and repeated empty lines, so that YAML can show the text as a block. */
export function tidy(sql: string): string {
  return sql
    .replaceAll('\t', '  ')
    .replace(/\r\n?/g, '\n')
    .replace(/[ ]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
