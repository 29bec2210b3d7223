import type { Client } from '@belvedere/api';
import { nameFrom } from '@belvedere/document';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { client } from '../data/server.ts';
import type { ModelEditor } from './model-editor.ts';

export type SchemaTable = Awaited<ReturnType<Client['getSchema']>>['tables'][number];
export type SchemaColumn = SchemaTable['columns'][number];

/** What every part of the model editor works with. */
export interface ModelEditing {
  readonly editor: ModelEditor;
  /** The tables of the model's source. */
  readonly tables: readonly SchemaTable[];
  /** Of the model's table, or of its SQL. */
  readonly own: readonly SchemaColumn[];
  /** The columns that expressions may name: the table's own, and those of its joins as `join.column`. */
  readonly columns: readonly SchemaColumn[];
  readonly sources: readonly string[];
}

export const ModelEditingContext = createContext<ModelEditing | undefined>(undefined);
export const useModelEditing = (): ModelEditing => useContext(ModelEditingContext)!;

export const useSchema = (source: string) =>
  useQuery({
    queryKey: ['workspace', 'schema', source],
    queryFn: ({ signal }) => client.getSchema({ params: { name: source } }, { signal }),
  });

/** The columns of a model's table, or of its SQL, and of its joins. */
export function columnsOf(
  document: ModelEditor['state']['document'],
  own: readonly SchemaColumn[],
  tables: readonly SchemaTable[],
): readonly SchemaColumn[] {
  const of = (name: string) => tables.find(table => table.name === name)?.columns ?? [];
  return [
    ...own,
    ...Object.entries(document.joins ?? {}).flatMap(([join, { table }]) =>
      of(table).map(column => ({ name: `${join}.${column.name}`, type: column.type })),
    ),
  ];
}

/**
 * The types of a model's dimensions, by name. What the server has not looked at yet, a moment after a step,
 * has its column's; an expression
 * that it has not looked at has none.
 */
export function typesOf(
  { dimensions = {} }: ModelEditor['state']['document'],
  checked: Readonly<Record<string, string>>,
  columns: readonly SchemaColumn[],
): Readonly<Record<string, string | undefined>> {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(dimensions).map(([name, { column, expr }]) => [
      name,
      checked[name] ?? (expr === undefined ? types.get(column ?? name) : undefined),
    ]),
  );
}

/** A name for a new entry that is not taken. */
export function freeEntry(wanted: string, taken: Readonly<Record<string, unknown>> | undefined): string {
  const name = nameFrom(wanted);
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}_${n}`;
    if (!Object.hasOwn(taken ?? {}, candidate)) return candidate;
  }
}

/** The columns that are dimensions as they are. */
export function columnsNamed({ dimensions = {} }: ModelEditor['state']['document']): ReadonlySet<string> {
  return new Set(
    Object.entries(dimensions).flatMap(([name, { column, expr }]) =>
      expr === undefined ? [column ?? name] : [],
    ),
  );
}
