import type { ColumnProfile, Model, TableProfile } from '@belvedere/model';
import { fileTableOf, type Workspace } from '../../workspace/workspace.ts';

/** The import profile of a dimension's column. Undefined for expressions and joined columns. */
export function columnOf(workspace: Workspace, model: Model, field: string): ColumnProfile | undefined {
  const expression = model.dimensions[field]?.expression;
  if (expression?.kind !== 'column' || expression.join) return undefined;
  return fileTableOf(workspace, model)?.imported?.profile.columns.find(
    column => column.name === expression.name,
  );
}

/** The import profile of a joined dimension's column, as counted in the joined table. */
export function joinedColumnOf(workspace: Workspace, model: Model, field: string): ColumnProfile | undefined {
  const expression = model.dimensions[field]?.expression;
  if (expression?.kind !== 'column' || !expression.join) return undefined;
  return joinedProfilesOf(workspace, model)[expression.join]?.columns.find(
    column => column.name === expression.name,
  );
}

/** The import profiles of joined tables by join, of those whose rows everybody sees. */
export function joinedProfilesOf(workspace: Workspace, model: Model): Readonly<Record<string, TableProfile>> {
  if (model.source !== 'files' || model.rowFilter) return {};
  return Object.fromEntries(
    Object.entries(model.joins).flatMap(([name, { table, visible }]) => {
      const profile = visible ? undefined : workspace.tables.get(table)?.imported?.profile;
      return profile ? [[name, profile] as const] : [];
    }),
  );
}

/**
 * Minimum and maximum of a dimension over the whole table, times in wall-clock milliseconds.
 * Undefined for instants: they depend on the time zone and need a query.
 */
export function knownExtent(
  workspace: Workspace,
  model: Model,
  field: string,
): readonly [number, number] | undefined {
  const column = columnOf(workspace, model, field);
  const isPlain =
    column &&
    column.type === model.dimensions[field]!.type &&
    ['integer', 'decimal', 'number', 'date', 'time'].includes(column.type);
  return isPlain &&
    typeof column.min === 'number' &&
    typeof column.max === 'number' &&
    Number.isFinite(column.max - column.min)
    ? [column.min, column.max]
    : undefined;
}
