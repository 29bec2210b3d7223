import type { AttributeValue } from '@belvedere/document';
import { typeOf } from './expression/check-expression.ts';
import { ExpressionError, mapParts, type Expression } from './expression/expression.ts';
import { columnsIn, joinsOf, startsOf } from './expression-joins.ts';
import type { BindingPolicy, Join, Model, Policy, VisibleRows } from './model.ts';

/** A user, as row policies see them. */
export interface PolicySubject {
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/**
 * Returns the models whose policies protect a table of a source; all of them bind. `nobody` admits no user,
 * because the policies cannot be applied to the table.
 * @param sql the text of a model of SQL, which names the tables
 */
export type ProtectedBy = (source: string, table: string, sql?: string) => readonly Model[] | 'nobody';

const noRow: Expression = { kind: 'literal', value: false };
const allOf = (conditions: readonly Expression[]) =>
  conditions.reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right }));

/**
 * Returns a user's view of the model: only rows that a policy binding the user admits, without the fields
 * that such a policy hides. A user whom no policy binds, or whose attributes are missing, empty or of another
 * type, sees no rows. (Policies combine like PostgreSQL's permissive ones:
 * https://www.postgresql.org/docs/current/ddl-rowsecurity.html.)
 *
 * A table's policies apply wherever the table is read: through a join of this model, and to the model's own
 * table if the model has no policies itself. Conditions are evaluated against the unrestricted data, not the
 * user's view of it.
 */
export function withPolicies(
  model: Model,
  subject: PolicySubject,
  protectedBy: ProtectedBy = () => [],
): Model {
  const { policies, ...open } = model;
  const joined = Object.entries(model.joins).flatMap(([name, { table }]) => {
    const rules = rulesOf(protectedBy(model.source, table), model.source, subject);
    return rules ? [[name, rules] as const] : [];
  });
  const inherited = policies
    ? undefined
    : rulesOf(protectedBy(model.source, model.table, model.sql), model.source, subject);
  if (!policies && !inherited && joined.length === 0) return model;

  const rules = new Map<string | undefined, TableRules>([
    ...joined,
    ...(inherited ? [[undefined, inherited] as const] : []),
  ]);
  const joins = Object.fromEntries(
    Object.entries(model.joins).map(([name, join]) => [name, withRows(join, rules.get(name)?.rows)]),
  );
  const own = policies && admittedBy(policies, subject);
  const rows = own
    ? apart({ where: own.where, joins: model.joins }, 'policy', name => isRestricted(name, joins))
    : inherited?.rows;
  const hidden = new Set([...(own?.hidden ?? []), ...fieldsReading(model, isHiddenIn(model, rules))]);
  const ownPolicies = own?.binding ?? [];
  const others = new Map(
    [...rules.values()].flatMap(({ binding }) => binding).map(policy => [policy.name, policy]),
  );
  const readUnder = [
    ...ownPolicies,
    ...[...others.values()].filter(({ name }) => !ownPolicies.some(policy => policy.name === name)),
  ];
  return {
    ...without(open, hidden),
    joins: { ...joins, ...rows?.joins },
    ...(rows && { rowFilter: rows.where }),
    readUnder,
  };
}

/** Returns the names of the attributes that a policy compares with. */
function attributesIn(where: Expression): string[] {
  const found: string[] = [];
  const visit = (part: Expression): Expression => {
    if (part.kind === 'attribute') found.push(part.name);
    return mapParts(part, visit);
  };
  visit(where);
  return found;
}

/**
 * Finds an attribute that no policy of these models reads, or whose value does not fit a policy that has all
 * its attributes. An empty list has no type and fits: its policy admits no rows.
 */
export function unfitAttribute(
  models: Iterable<Model>,
  attributes: PolicySubject['attributes'],
): string | undefined {
  const policies = [...models].flatMap(model => model.policies ?? []);
  const read = policies.map(({ where }) => ({ where, names: attributesIn(where) }));
  const known = new Set(read.flatMap(({ names }) => names));
  const unknown = Object.keys(attributes).find(name => !known.has(name));
  if (unknown !== undefined) return unknown;
  const unfit = read.find(
    ({ where, names }) =>
      names.length > 0 &&
      names.every(name => Object.hasOwn(attributes, name) && !isEmptyList(attributes[name])) &&
      boundTo(where, attributes) === undefined,
  );
  return unfit?.names[0];
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Applies one model's policies to a user: the rows they admit and the fields they hide. */
function admittedBy(
  policies: readonly Policy[],
  subject: PolicySubject,
): {
  readonly where: Expression;
  readonly hidden: ReadonlySet<string>;
  readonly binding: readonly BindingPolicy[];
} {
  const binding = policies
    .filter(policy => isBound(policy, subject))
    .map(policy => ({ policy, rows: boundTo(policy.where, subject.attributes) }));
  const admitted = binding.flatMap(({ rows }) => rows ?? []);
  return {
    where:
      admitted.length === 0
        ? noRow
        : admitted.reduce((left, right) => ({ kind: 'binary', operator: 'or', left, right })),
    hidden: new Set(binding.flatMap(({ policy }) => policy.hides)),
    binding: binding.map(({ policy: { name, text, where }, rows }) => ({
      name,
      text,
      reads: columnsIn(where).map(({ join, name: column }) => ({
        ...(join !== undefined && { join }),
        name: column,
      })),
      isFit: rows !== undefined,
    })),
  };
}

/** The rules that a table's models impose on all other models that read the table; all of them bind. */
interface TableRules {
  readonly rows: VisibleRows;
  /** Columns of the table, or of another table joined to it. */
  readonly hides: readonly { readonly table?: string; readonly name: string }[];
  readonly binding: readonly BindingPolicy[];
}

function rulesOf(
  models: readonly Model[] | 'nobody',
  source: string,
  subject: PolicySubject,
): TableRules | undefined {
  if (models === 'nobody') return { rows: { where: noRow, joins: {} }, hides: [], binding: [] };
  if (models.length === 0) return undefined;
  const each = models.map((model, i) => {
    const { where, hidden, binding } = admittedBy(model.policies ?? [], subject);
    const rows = apart({ where, joins: model.joins }, String(i), () => true);
    // A copy of a table has the policies of the original. The tables of their joins may not be available
    // beside the copy.
    const isApplicable = model.source === source || Object.keys(rows.joins).length === 0;
    return {
      rows: isApplicable ? rows : { where: noRow, joins: {} },
      hides: columnsHidden(model, hidden),
      binding: binding.map(policy => ({ ...policy, text: '', reads: [] })),
    };
  });
  return {
    rows: {
      where: allOf(each.map(({ rows }) => rows.where)),
      joins: Object.assign({}, ...each.map(({ rows }) => rows.joins)) as VisibleRows['joins'],
    },
    hides: each.flatMap(({ hides }) => hides),
    binding: each.flatMap(({ binding }) => binding),
  };
}

/**
 * Renames the joins that a condition reads to names that no file can contain, so that they do not clash with
 * other joins.
 */
function apart(
  { where, joins }: VisibleRows,
  prefix: string,
  isCalledAnew: (join: string) => boolean,
): VisibleRows {
  const read = joinsOf(
    columnsIn(where).flatMap(({ join }) => join ?? []),
    joins,
  );
  if (!Object.keys(read).some(isCalledAnew)) return { where, joins: {} };
  const renamedJoin = <T extends { readonly join?: string }>(from: T): T =>
    from.join === undefined ? from : { ...from, join: `${prefix} ${from.join}` };
  const renamed = (expression: Expression): Expression =>
    expression.kind === 'column' ? renamedJoin(expression) : mapParts(expression, renamed);
  return {
    where: renamed(where),
    joins: Object.fromEntries(
      Object.entries(read).map(([name, join]) => [
        `${prefix} ${name}`,
        {
          ...join,
          on: join.on.map(renamedJoin),
          ...(join.between && { between: renamedJoin(join.between) }),
        },
      ]),
    ),
  };
}

function withRows(join: Join, visible: VisibleRows | undefined): Join {
  return visible ? { ...join, visible } : join;
}

function isRestricted(name: string, joins: Model['joins']): boolean {
  return Object.values(joinsOf([name], joins)).some(({ visible }) => visible !== undefined);
}

/** The columns of hidden fields, except columns that a visible field shows unchanged. */
function columnsHidden(model: Model, hidden: ReadonlySet<string>): TableRules['hides'] {
  const keyOf = ({ join = '', name }: { readonly join?: string; readonly name: string }) =>
    JSON.stringify([join, name]);
  const shown = new Set(
    Object.values(model.dimensions).flatMap(({ name, expression }) =>
      !hidden.has(name) && expression.kind === 'column' ? [keyOf(expression)] : [],
    ),
  );
  const fields = [...Object.values(model.dimensions), ...Object.values(model.measures)].filter(({ name }) =>
    hidden.has(name),
  );
  const columns = fields
    .flatMap(({ expression }) => columnsIn(expression))
    .filter(column => !shown.has(keyOf(column)));
  return columns.map(({ join, name }) => ({
    ...(join !== undefined && { table: model.joins[join]!.table }),
    name,
  }));
}

type IsHidden = (column: { readonly join?: string; readonly name: string }) => boolean;

/**
 * Returns a test for columns of a model that the models of its tables hide. A join with a hidden key hides
 * all columns it leads to.
 */
function isHiddenIn({ joins }: Model, rules: ReadonlyMap<string | undefined, TableRules>): IsHidden {
  const hides = (from: string | undefined, table: string | undefined, name: string) =>
    rules.get(from)?.hides.some(column => column.table === table && column.name === name) ?? false;
  const isHidden: IsHidden = ({ join, name }) => {
    if (hides(join, undefined, name)) return true;
    if (join === undefined) return false;
    const { table } = joins[join]!;
    const before = [undefined, ...Object.keys(joinsOf([join], joins))].filter(from => from !== join);
    const isKeyHidden = (key: ReturnType<typeof startsOf>[number]) =>
      isHidden({ ...(key.join !== undefined && { join: key.join }), name: key.column });
    return before.some(from => hides(from, table, name)) || startsOf(joins[join]!).some(isKeyHidden);
  };
  return isHidden;
}

/** The fields of a model that read a hidden column, including its watermark. */
function fieldsReading({ dimensions, measures, watermark }: Model, isHidden: IsHidden): string[] {
  const fields = [
    ...Object.values(dimensions),
    ...Object.values(measures),
    ...(watermark ? [{ name: watermarkName, ...watermark }] : []),
  ];
  return fields.filter(({ expression }) => columnsIn(expression).some(isHidden)).map(({ name }) => name);
}

/** A name that no field can have. */
const watermarkName = 'the watermark';

function isBound({ groups }: Policy, subject: PolicySubject): boolean {
  return groups === undefined || groups.some(group => subject.groups.includes(group));
}

function without(
  { time, watermark, hierarchies, filters, ...model }: Model,
  hidden: ReadonlySet<string>,
): Model {
  const seen = <T>(fields: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
  return {
    ...model,
    ...(time !== undefined && !hidden.has(time) && { time }),
    ...(watermark && !hidden.has(watermarkName) && { watermark }),
    dimensions: seen(model.dimensions),
    measures: seen(model.measures),
    ...(hierarchies && {
      hierarchies: Object.fromEntries(
        Object.entries(hierarchies).map(([name, levels]) => [
          name,
          levels.filter(level => !hidden.has(level)),
        ]),
      ),
    }),
    ...(filters && { filters: seen(filters) }),
  };
}

/**
 * Replaces the attributes in a condition by the user's values; undefined if one is missing or does not fit.
 */
function boundTo(where: Expression, attributes: PolicySubject['attributes']): Expression | undefined {
  try {
    const bound = withAttributes(where, attributes);
    return typeOf(bound) === 'boolean' ? bound : undefined;
  } catch (error) {
    if (error instanceof UnfitAttribute || error instanceof ExpressionError) return undefined;
    throw error;
  }
}

class UnfitAttribute extends Error {}

function withAttributes(expression: Expression, attributes: PolicySubject['attributes']): Expression {
  if (expression.kind === 'attribute') {
    const [value, ...more] = valuesOf(expression.name, attributes);
    // Several values form a list, which only `in (…)` accepts.
    if (more.length > 0) throw new UnfitAttribute();
    return value!;
  }
  if (expression.kind === 'in') {
    const values = expression.values.flatMap(value =>
      value.kind === 'attribute' ? valuesOf(value.name, attributes) : [withAttributes(value, attributes)],
    );
    return { ...expression, operand: withAttributes(expression.operand, attributes), values };
  }
  return mapParts(expression, part => withAttributes(part, attributes));
}

/** @throws UnfitAttribute if the user has no such attribute, or an empty one */
function valuesOf(name: string, attributes: PolicySubject['attributes']): Expression[] {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (
    values.length === 0 ||
    values.some(one => one === '' || (typeof one === 'number' && !Number.isFinite(one)))
  )
    throw new UnfitAttribute();
  return values.map(one => ({ kind: 'literal', value: one }));
}
