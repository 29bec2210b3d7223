import type { CheckedModel } from '@belvedere/api';
import type { AssembledModel } from '../../../workspace/assemble-model.ts';
import { plainProblem } from '../../../workspace/documents/document-repository.ts';

/** Returns the problems of a model, and the types of its fields, for the editor. */
export function presentCheck({
  model,
  problems,
  isImporting: isReading,
  columns,
}: AssembledModel): CheckedModel {
  const types = (fields: Readonly<Record<string, { readonly type: string }>> = {}) =>
    Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]));
  return {
    problems: problems.map(plainProblem),
    isImporting: isReading,
    dimensions: types(model?.dimensions),
    measures: types(model?.measures),
    joins: Object.fromEntries(
      Object.entries(model?.joins ?? {}).map(([name, { isKeyed }]) => [name, { isKeyed }]),
    ),
    ...(columns && { columns: columns.map(({ name, type }) => ({ name, type })) }),
  };
}
