import type { AttributeValue } from '@belvedere/document';
import { typeOf } from './expression/check-expression.ts';
import { ExpressionError, mapParts, type Expression } from './expression/expression.ts';
import type { Model, Policy } from './model.ts';

/** Somebody as policies see them. */
export interface Reader {
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

const noRow: Expression = { kind: 'literal', value: false };

/**
 * The model as it is for one reader: only the rows that a policy which binds them admits, and nothing of what one of those hides.
 * A reader whom no policy binds, or whose attributes are missing, empty or of another type, sees no row.
 * (Policies add up as PostgreSQL's permissive ones do: https://www.postgresql.org/docs/current/ddl-rowsecurity.html.)
 */
export function asReadBy(model: Model, reader: Reader): Model {
  const { policies, ...open } = model;
  if (!policies) return model;
  const binding = policies.filter(policy => isBound(policy, reader)).map(policy => ({ policy, rows: boundTo(policy.where, reader.attributes) }));
  const admitted = binding.flatMap(({ rows }) => rows ?? []);
  const hidden = new Set(binding.flatMap(({ policy }) => policy.hides));
  const rowFilter = admitted.length === 0 ? noRow : admitted.reduce((left, right) => ({ kind: 'binary', operator: 'or', left, right }));
  const readUnder = binding.map(({ policy: { name, text }, rows }) => ({ name, text, isFit: rows !== undefined }));
  return { ...without(open, hidden), rowFilter, readUnder };
}

function isBound({ groups }: Policy, reader: Reader): boolean {
  return groups === undefined || groups.some(group => reader.groups.includes(group));
}

function without({ time, hierarchies, filters, ...model }: Model, hidden: ReadonlySet<string>): Model {
  const seen = <T>(fields: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
  return {
    ...model,
    ...(time !== undefined && !hidden.has(time) && { time }),
    dimensions: seen(model.dimensions),
    measures: seen(model.measures),
    ...(hierarchies && { hierarchies: Object.fromEntries(Object.entries(hierarchies).map(([name, levels]) => [name, levels.filter(level => !hidden.has(level))])) }),
    ...(filters && { filters: seen(filters) }),
  };
}

/** A condition with a reader's attributes in their places; nothing where one is missing, or does not fit where it stands. */
function boundTo(where: Expression, attributes: Reader['attributes']): Expression | undefined {
  try {
    const bound = withAttributes(where, attributes);
    return typeOf(bound) === 'boolean' ? bound : undefined;
  } catch (error) {
    if (error instanceof UnfitAttribute || error instanceof ExpressionError) return undefined;
    throw error;
  }
}

class UnfitAttribute extends Error {}

function withAttributes(expression: Expression, attributes: Reader['attributes']): Expression {
  if (expression.kind === 'attribute') {
    const [value, ...more] = valuesOf(expression.name, attributes);
    // Several values are a list, and belong into `in (…)`.
    if (more.length > 0) throw new UnfitAttribute();
    return value!;
  }
  if (expression.kind === 'in') {
    const values = expression.values.flatMap(value => (value.kind === 'attribute' ? valuesOf(value.name, attributes) : [withAttributes(value, attributes)]));
    return { ...expression, operand: withAttributes(expression.operand, attributes), values };
  }
  return mapParts(expression, part => withAttributes(part, attributes));
}

/** @throws UnfitAttribute where the reader has no such attribute, or it says nothing */
function valuesOf(name: string, attributes: Reader['attributes']): Expression[] {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.some(one => one === '' || (typeof one === 'number' && !Number.isFinite(one)))) throw new UnfitAttribute();
  return values.map(one => ({ kind: 'literal', value: one }));
}
