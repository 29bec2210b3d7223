import type { FunctionCall } from '@belvedere/sql';

/*
 * The functions that custom SQL may call on ClickHouse. Of about a thousand built-in functions, which the
 * server lists, all but a few only compute values. Most table functions access files or other machines, so
 * only the harmless ones are allowed by name. `format` is not: values in its text may be expressions.
 */

/**
 * Functions that wait, write to the server's log, access a file, a model or another machine, increment a counter, or reveal the server's
 * credentials.
 */
const refused = new Set([
  'sleep',
  'sleepeachrow',
  'file',
  'modelevaluate',
  'catboostevaluate',
  'evalmlmethod',
  'hascolumnintable',
  'reversednsquery',
  'generateserialid',
  'getclienthttpheader',
  'addresstoline',
  'addresstolinewithinlines',
  'addresstosymbol',
  'naivebayesclassifier',
  'fuzzquery',
  'logtrace',
  'trap',
  'showcertificate',
]);
const isRefused = (name: string) => refused.has(name) || /^(ai|llm)[a-z]/.test(name);

const tableFunctions = new Set([
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'generate_series',
  'generateseries',
  'generaterandom',
  'merge',
  'values',
  'view',
  'null',
  'dictionary',
  'primes',
]);

/** Keywords that may precede a parenthesis without being functions. */
const grammar = new Set(
  `select distinct all any some exists in not and or is like ilike between case when then else end as from final prewhere where join on using having
  by group order limit offset union except intersect with over partition rows range filter array global asof semi anti inner left right full outer
  cross sample rollup cube grouping sets interval cast extract substring substr trim position columns apply replace window qualify recursive date
  timestamp materialized lateral tuple date_add date_sub date_diff dateadd datesub datediff timestamp_add timestamp_sub timestampadd timestampsub
  timestampdiff ltrim rtrim exclude div mod values`.split(/\s+/),
);

/** Suffixes that combine with an aggregate to a new one: `sumIf`. */
const combinators =
  /(?:if|array|map|distinct|ordefault|ornull|resample|state|simplestate|merge|mergestate|foreach|argmin|argmax)$/;

/** The names that a server lists; in lower case. */
export interface ServerNames {
  readonly functions: ReadonlySet<string>;
  readonly aggregates: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** The calls that are not known to be harmless. */
export function unknownIn(calls: readonly FunctionCall[], server: ServerNames): FunctionCall[] {
  return calls.filter(({ name, isQuoted }) => {
    const known = name.toLowerCase();
    if (isRefused(known)) return true;
    if (!isQuoted && grammar.has(known)) return false;
    return !(
      server.functions.has(known) ||
      server.types.has(known) ||
      tableFunctions.has(known) ||
      isAggregate(known, server.aggregates)
    );
  });
}

function isAggregate(name: string, aggregates: ReadonlySet<string>): boolean {
  for (let base = name; ;) {
    if (aggregates.has(base)) return true;
    const shorter = base.replace(combinators, '');
    if (shorter === base) return false;
    base = shorter;
  }
}
