import type { Model, TableSchema } from '@belvedere/model';
import type { TileShape } from '@belvedere/query';
import { schemaInSource, schemaOf } from '../../workspace/assemble-model.ts';
import { fileTableOf, type Workspace } from '../../workspace/workspace.ts';

/** The fields that one condition can name. */
const maxFields = 8;

/**
 * Returns the fields whose values name a row of a table tile: the dimensions of grouped rows, otherwise a column
 * that the table shows and whose values are unique, or several that are unique together. Without such a key, they
 * are the first columns, and equal rows have one name; so it is for models with row policies, too.
 */
export function rowKey(
  workspace: Workspace,
  model: Model,
  shape: Extract<TileShape, { kind: 'groups' | 'rows' }>,
): readonly string[] {
  const { dimensions } = shape;
  // Whether values are unique depends on all rows, which a caller with row policies must learn nothing of.
  if (shape.kind === 'groups' || model.policies || model.rowFilter) return dimensions.slice(0, maxFields);
  const byColumn = new Map(
    dimensions.flatMap(field => {
      const dimension = model.dimensions[field];
      const expression = dimension?.expression;
      return dimension && isKeyType(dimension.type) && expression?.kind === 'column' && !expression.join
        ? [[expression.name, field] as const]
        : [];
    }),
  );
  const { unique = [], uniqueTogether = [] } = schemaOfTable(workspace, model) ?? {};
  const single = [...byColumn].find(([column]) => unique.includes(column))?.[1];
  if (single !== undefined) return [single];
  const together = uniqueTogether.find(
    columns => columns.length <= maxFields && columns.every(column => byColumn.has(column)),
  );
  return together?.map(column => byColumn.get(column)!) ?? dimensions.slice(0, maxFields);
}

/** Amounts can be unique by chance, and change. */
const isKeyType = (type: string) => type !== 'number' && type !== 'decimal' && type !== 'other';

function schemaOfTable(workspace: Workspace, model: Model): TableSchema | undefined {
  const imported = fileTableOf(workspace, model)?.imported;
  if (imported) return schemaOf(imported);
  const source = workspace.sources.get(model.source);
  return source?.tables.some(({ called }) => called === model.table)
    ? schemaInSource(source, model.table)
    : undefined;
}
