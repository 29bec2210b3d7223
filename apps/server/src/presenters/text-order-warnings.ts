import { columnsOrderedAsText, type ColumnProfile, type Expression, type Model } from '@belvedere/model';
import type { Documents } from '../workspace/documents/read-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The columns that an expression orders as texts although their values are numbers, by qualified name. */
export function numbersOrderedAsText(
  expression: Expression,
  model: Model,
  { tables }: Pick<Workspace, 'tables'>,
): string[] {
  if (model.source !== 'files') return [];
  const found = columnsOrderedAsText(expression).filter(({ name, join }) => {
    const table = join === undefined ? model.table : model.joins[join]?.table;
    const profile = tables.get(table ?? '')?.imported?.profile.columns.find(column => column.name === name);
    return profile !== undefined && holdsNumbers(profile);
  });
  return [...new Set(found.map(({ name, join }) => (join === undefined ? name : `${join}.${name}`)))];
}

/** A warning about a model, with its position. */
export interface ModelWarning {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Warnings about the models that order numbers as texts. */
export function textOrderWarnings(documents: Documents, workspace: Workspace): ModelWarning[] {
  return [...documents.models].flatMap(([name, { file, read }]) => {
    const model = workspace.models.get(name)?.model;
    if (!read.ok || !model) return [];
    return (['dimensions', 'measures'] as const).flatMap(section =>
      Object.values(model[section]).flatMap(entry => {
        const columns = numbersOrderedAsText(entry.expression, model, workspace);
        if (columns.length === 0) return [];
        const named = columns.map(column => `\`${column}\``).join(', ');
        const message =
          `\`${entry.name}\` orders ${named} as text, but the values are numbers: '9' is after '10'. ` +
          'Set the type of the column in the import options, or convert it with `cast`.';
        return [{ file, line: read.locate([section, entry.name]).line, message }];
      }),
    );
  });
}

/**
 * Whether the known values of a text column are numbers whose order as texts is another: of different
 * lengths, and without leading zeros.
 */
function holdsNumbers({ type, min, max, top }: ColumnProfile): boolean {
  if (type !== 'text') return false;
  const values = [min, max, ...top.map(({ value }) => value)].flatMap(value =>
    typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
  );
  const whole = values.map(value => /^[-+]?(\d+)(?:[.,]\d+)?$/.exec(value)?.[1]);
  return (
    whole.every(digits => digits !== undefined && !/^0\d/.test(digits)) &&
    new Set(whole.map(digits => digits!.length)).size > 1
  );
}
