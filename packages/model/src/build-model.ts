import { didYouMean, labelFrom, type ModelFile } from '@belvedere/document';
import { buildJoins, noTable } from './build-joins.ts';
import type { Dimension, Measure, Model, Policy, Watermark } from './model.ts';
import { ModelExpressions } from './model-expressions.ts';
import type { ModelProblem } from './model-problem.ts';
import { finish, type Steps } from './steps.ts';
import type { TableSchema } from './table.ts';

/** A model's file with a table name; a model of SQL gets a name of its own. */
export type TableModelFile = ModelFile & { readonly table: string };

export interface BuiltModel {
  readonly model?: Model;
  readonly problems: readonly ModelProblem[];
}

/**
 * Builds a model from its file: parses its expressions and checks them against the available tables. Invalid
 * parts are left out and all reported at once; the rest works.
 * @returns undefined as the model if its own table is missing.
 */
export function buildModel(...args: Parameters<typeof buildModelInSteps>): BuiltModel {
  return finish(buildModelInSteps(...args));
}

/** `buildModel`, one field or policy in a step: a model may have thousands. */
export function* buildModelInSteps(
  name: string,
  file: TableModelFile,
  tables: readonly TableSchema[],
): Steps<BuiltModel> {
  const table = tables.find(candidate => candidate.name === file.table);
  if (!table)
    return { problems: [{ code: 'table-gone', path: ['table'], message: noTable(file.table, tables) }] };
  const { joins, joined, problems } = buildJoins(file.joins ?? {}, table, tables);
  const expressions = new ModelExpressions(table, joined);
  const dimensions = yield* buildDimensions(file, expressions);
  const measures = yield* buildMeasures(file, expressions);
  const watermark = buildWatermark(file, expressions);
  const hasTime = file.time !== undefined && Object.hasOwn(dimensions, file.time);
  if (file.time && !hasTime) reportUnknown(expressions, ['time'], file.time, dimensions);
  const hierarchies = yield* buildHierarchies(file, dimensions, expressions);
  const filters = buildFilters(file, dimensions, expressions);
  const policies = (file.policies ?? []).flatMap((policy, i) =>
    buildPolicy(policy, ['policies', String(i)], { dimensions, measures }, expressions),
  );
  return {
    model: {
      name,
      label: file.label ?? labelFrom(name),
      source: file.source ?? 'files',
      table: file.table,
      ...(file.sql !== undefined && { sql: file.sql }),
      ...(hasTime && { time: file.time! }),
      ...(watermark && { watermark }),
      joins,
      dimensions,
      measures,
      ...(Object.keys(hierarchies).length > 0 && { hierarchies }),
      ...(Object.keys(filters).length > 0 && { filters }),
      ...(file.policies && { policies }),
    },
    problems: [...problems, ...expressions.problems],
  };
}

type Dimensions = Readonly<Record<string, Dimension>>;

function* buildDimensions(file: ModelFile, expressions: ModelExpressions): Steps<Dimensions> {
  const dimensions: Record<string, Dimension> = {};
  for (const [name, spec] of Object.entries(file.dimensions ?? {})) {
    yield;
    const path = ['dimensions', name];
    const checked =
      spec.expr === undefined
        ? expressions.check(expressions.column(spec.column ?? name), path)
        : readAt(expressions, spec.expr, path);
    if (!checked) continue;
    if (checked.isAggregate) {
      expressions.report(
        'expression-invalid',
        [...path, 'expr'],
        `\`${name}\` contains an aggregate, so it is a measure, not a dimension.`,
      );
      continue;
    }
    dimensions[name] = {
      name,
      label: spec.label ?? labelFrom(spec.column ?? name),
      type: checked.type,
      expression: checked.expression,
      text: spec.expr ?? spec.column ?? name,
      ...(spec.format && { format: spec.format }),
      ...(spec.description && { description: spec.description }),
      ...(spec.role && { role: spec.role }),
      ...(spec.link && { link: spec.link }),
      ...(spec.sort && { sort: spec.sort }),
      ...(spec.hidden && { isHidden: true }),
    };
  }
  return dimensions;
}

/** Errors of its syntax are those of the dimension, others of its expression. */
function readAt(expressions: ModelExpressions, text: string, path: readonly string[]) {
  const expression = expressions.parse(text, path);
  return expression && expressions.check(expression, [...path, 'expr'], text);
}

function* buildMeasures(
  file: ModelFile,
  expressions: ModelExpressions,
): Steps<Readonly<Record<string, Measure>>> {
  const measures: Record<string, Measure> = {};
  for (const [name, spec] of Object.entries(file.measures ?? {})) {
    yield;
    const path = ['measures', name, 'expr'];
    const checked = expressions.read(spec.expr, path);
    if (!checked) continue;
    if (!checked.isAggregate) {
      expressions.report(
        'expression-invalid',
        path,
        `\`${name}\` needs an aggregate such as \`sum(…)\` or \`count(*)\`.`,
      );
      continue;
    }
    measures[name] = {
      name,
      label: spec.label ?? labelFrom(name),
      type: checked.type,
      expression: checked.expression,
      text: spec.expr,
      ...(spec.format && { format: spec.format }),
      ...(spec.unit && { unit: spec.unit }),
      ...(spec.description && { description: spec.description }),
      ...(spec.better && { better: spec.better }),
      ...(spec.hidden && { isHidden: true }),
    };
  }
  // Every table can be counted, even if its file defines no measure.
  measures['rows'] ??= {
    name: 'rows',
    label: 'Rows',
    type: 'integer',
    format: 'integer',
    text: 'count(*)',
    expression: { kind: 'call', name: 'count', args: [] },
  };
  return measures;
}

function buildWatermark({ watermark }: ModelFile, expressions: ModelExpressions): Watermark | undefined {
  const checked = watermark === undefined ? undefined : expressions.read(watermark, ['watermark']);
  if (!checked) return undefined;
  if (checked.isAggregate) return { type: checked.type, expression: checked.expression, text: watermark! };
  expressions.report(
    'expression-invalid',
    ['watermark'],
    `The watermark must be an aggregate such as \`max(${watermark})\`.`,
  );
  return undefined;
}

function* buildHierarchies(
  file: ModelFile,
  dimensions: Dimensions,
  expressions: ModelExpressions,
): Steps<Readonly<Record<string, readonly string[]>>> {
  const hierarchies: Record<string, readonly string[]> = {};
  for (const [name, levels] of Object.entries(file.hierarchies ?? {})) {
    yield;
    const missing = levels.filter(level => !Object.hasOwn(dimensions, level));
    for (const level of missing) reportUnknown(expressions, ['hierarchies', name], level, dimensions);
    if (missing.length === 0) hierarchies[name] = levels;
  }
  return hierarchies;
}

function buildFilters(file: ModelFile, dimensions: Dimensions, expressions: ModelExpressions) {
  return Object.fromEntries(
    Object.entries(file.filters ?? {}).filter(([field]) => {
      const isKnown = Object.hasOwn(dimensions, field);
      if (!isKnown) reportUnknown(expressions, ['filters', field], field, dimensions);
      return isKnown;
    }),
  );
}

/** An invalid policy admits no rows, so that the model stays protected. */
function buildPolicy(
  { name, groups, where, hide = [] }: NonNullable<ModelFile['policies']>[number],
  path: readonly string[],
  { dimensions, measures }: Pick<Model, 'dimensions' | 'measures'>,
  expressions: ModelExpressions,
): Policy[] {
  const condition = expressions.read(where, [...path, 'where'], { hasAttributes: true });
  const fields = [...Object.keys(dimensions), ...Object.keys(measures)];
  const unknown = hide.filter(field => !fields.includes(field));
  for (const field of unknown)
    expressions.report(
      'field-unknown',
      [...path, 'hide'],
      `There is no dimension or measure \`${field}\` to hide${expressions.isFull ? '' : didYouMean(field, fields)}`,
    );
  if (!condition || unknown.length > 0) return [];
  if (condition.isAggregate || (condition.type !== 'boolean' && condition.expression.kind !== 'attribute')) {
    expressions.report(
      'type-mismatch',
      [...path, 'where'],
      condition.isAggregate
        ? 'A policy is a condition on one row, so it cannot contain an aggregate.'
        : `A policy must be a condition (true or false), but this is ${condition.type}.`,
    );
    return [];
  }
  return [{ name, ...(groups && { groups }), where: condition.expression, text: where, hides: hide }];
}

function reportUnknown(
  expressions: ModelExpressions,
  path: readonly string[],
  name: string,
  dimensions: Dimensions,
): void {
  const suggested = expressions.isFull ? '' : didYouMean(name, Object.keys(dimensions));
  expressions.report('field-unknown', path, `There is no dimension \`${name}\`${suggested}`);
}
