import {
  ExpressionError,
  functions,
  mapParts,
  parseExpression,
  partsOf,
  type Expression,
} from '@belvedere/model';

/**
 * Functions defined in terms of others, so that dialects need not define them. `$1`, `$2` … are the
 * arguments.
 */
const definitions: Readonly<Record<string, string>> = {
  count_if: 'count(case when $1 then 1 end)',
  bool_and: 'min(case when $1 then 1 when not $1 then 0 end) = 1',
  bool_or: 'max(case when $1 then 1 when not $1 then 0 end) = 1',
  mod: '$1 % $2',
  if: 'case when $1 then $2 else $3 end',
  nullif: 'case when $1 = $2 then null else $1 end',
  clamp: 'case when $1 is not null then greatest($2, least($1, $3)) end',
  degrees: '$1 * 180 / pi()',
  radians: '$1 * pi() / 180',
  sign: 'case when $1 > 0 then 1 when $1 < 0 then -1 when $1 = 0 then 0 end',
  starts_with: 'left($1, length($2)) = $2',
  ends_with: 'length($1) >= length($2) and right($1, length($2)) = $2',
  contains: 'position($1, $2) > 0',
  is_blank: "coalesce(trim($1) = '', true)",
  same: 'coalesce($1 = $2, $1 is null and $2 is null)',
  last_day: "date(date_add('day', -1, date_add('month', 1, date_trunc('month', $1))))",
  days_in_month: "day(date_add('day', -1, date_add('month', 1, date_trunc('month', $1))))",
  make_timestamp:
    "case when $4 between 0 and 23 and $5 between 0 and 59 and $6 between 0 and 59 then date_add('second', cast($4 * 3600 + $5 * 60 + $6 as bigint), make_date($1, $2, $3)) end",
  year_month: "cast(year($1) as text) || '-' || lpad(cast(month($1) as text), 2, '0')",
  year_quarter: "cast(year($1) as text) || '-Q' || cast(quarter($1) as text)",
  year_week: "cast(isoyear($1) as text) || '-W' || lpad(cast(week($1) as text), 2, '0')",
  is_weekend: 'isodow($1) >= 6',
  fiscal_year: 'year($1) + case when $2 > 1 and month($1) >= $2 then 1 else 0 end',
  fiscal_quarter: 'cast(trunc((month($1) + 12 - $2) % 12 / 3) + 1 as integer)',
};

const parsed = new Map<string, Expression>();

/**
 * The definition of a call of a derived function, with its arguments; undefined for other functions. A call's
 * filter is moved to the aggregate inside.
 */
export function definitionOf(call: Expression & { readonly kind: 'call' }): Expression | undefined {
  const text = Object.hasOwn(definitions, call.name) ? definitions[call.name] : undefined;
  if (text === undefined) return undefined;
  // The parser accepts this name, which no column has. It is replaced before any lookup.
  const template = parsed.get(call.name) ?? parseExpression(text.replace(/\$(\d)/g, '"$$$1"'));
  parsed.set(call.name, template);
  const definition = filled(template, call);
  if (writtenParts(definition) > maxParts)
    throw new ExpressionError(
      'expression-invalid',
      `\`${call.name}\` expands to an expression that is too long. Compute a part of it in its own column.`,
      call.at,
    );
  return definition;
}

/** Limits the expansion: `sign(sign(…))` repeats its argument three times at every level. */
const maxParts = 20_000;
const partsWritten = new WeakMap<Expression, number>();

/** The number of parts of an expression after all definitions are expanded. */
function writtenParts(expression: Expression): number {
  const known = partsWritten.get(expression);
  if (known !== undefined) return known;
  const definition = expression.kind === 'call' ? definitionOf(expression) : undefined;
  const parts = definition
    ? writtenParts(definition)
    : partsOf(expression).reduce((sum, part) => sum + writtenParts(part), 1);
  partsWritten.set(expression, parts);
  return parts;
}

function filled(template: Expression, call: Expression & { readonly kind: 'call' }): Expression {
  if (template.kind === 'column')
    return call.args[Number(template.name.slice(1)) - 1] ?? { kind: 'literal', value: null };
  const inside = mapParts(template, part => filled(part, call));
  return call.filter && inside.kind === 'call' && functions[inside.name]?.aggregate
    ? { ...inside, filter: call.filter }
    : inside;
}
