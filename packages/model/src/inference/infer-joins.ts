import { freeName, type ModelFile } from '@belvedere/document';
import { wordsOf } from './column-vocabulary.ts';
import { isNameless } from './infer-meaning.ts';
import { sharedWords, singular, referenceName, tableWordsOf } from '../relationships/relationship-names.ts';
import type { Inclusion, Relationship } from '../relationships/relationships.ts';
import type { TableProfile } from '../table.ts';

/** A table that a model joins, directly or through others. */
export interface JoinedTable {
  /** The name of the join: `customer`, or `origin` where a table is joined in several roles. */
  readonly name: string;
  readonly profile: TableProfile;
  readonly join: NonNullable<ModelFile['joins']>[string];
  /** 1 where the model's own table refers to it. */
  readonly depth: number;
  /** The columns that refer to it. */
  readonly columns: readonly string[];
  /** Named after the column, since its table is joined in several roles or is the model's own. */
  readonly isRole: boolean;
  /** Columns of it that refer to others. */
  readonly references: readonly string[];
}

const deepest = 3;
const maxJoins = 16;

/**
 * The joins of a table's inferred model: the tables that it refers to, those that these refer to, and so on.
 * In order: a join comes
 * after the one it begins at.
 */
export function inferJoins(
  table: TableProfile,
  relationships: readonly Relationship[],
  tables: ReadonlyMap<string, TableProfile>,
): JoinedTable[] {
  const used = relationships.filter(({ verdict }) => verdict === 'used');
  const shared = sharedWords([...tables.keys()]);
  const names = new Set<string>();
  const joined: JoinedTable[] = [];
  interface Start {
    readonly table: string;
    readonly via?: JoinedTable;
    readonly path: readonly string[];
  }
  let starts: Start[] = [{ table: table.name, path: [table.name] }];
  for (let depth = 1; depth <= deepest; depth++) {
    const next: Start[] = [];
    for (const start of starts) {
      const outgoing = inColumnOrder(used, start.table, tables).filter(
        ({ to }) => !start.path.includes(to.table) || (depth === 1 && to.table === table.name),
      );
      for (const { from, to, between, evidence } of outgoing) {
        const profile = tables.get(to.table);
        // A table that is reached already is reached by the shorter way; in two roles it is reached twice.
        const isReached = joined.some(other => other.profile.name === to.table && other.depth < depth);
        if (!profile || joined.length >= maxJoins || (depth > 1 && isReached)) continue;
        const isRole =
          to.table === table.name || outgoing.filter(other => other.to.table === to.table).length > 1;
        // Columns of files without a header have no name that says a role.
        const bare =
          isRole && !isNameless(wordsOf(from.columns[0]!))
            ? roleOf(from.columns[0]!)
            : [
                ...tableWordsOf(to.table, shared).slice(0, -1),
                singular(tableWordsOf(to.table, shared).at(-1)!),
              ].join('_');
        const wanted = names.has(bare) && start.via ? `${start.via.name}_${bare}` : bare;
        const here = (column: string) => (start.via ? `${start.via.name}.${column}` : column);
        const on = Object.fromEntries(from.columns.map((column, i) => [here(column), to.columns[i]!]));
        const one: JoinedTable = {
          name: freeName(wanted, names),
          profile,
          join: {
            table: to.table,
            on,
            ...(between && { between: { [here(between.column)]: [between.begin, between.end] } }),
            ...(evidence && { description: evidenceText(evidence, from.table) }),
          },
          depth,
          columns: from.columns,
          isRole,
          references: used
            .filter(other => other.from.table === to.table)
            .flatMap(other => other.from.columns),
        };
        joined.push(one);
        next.push({ table: to.table, via: one, path: [...start.path, to.table] });
      }
    }
    starts = next.filter(({ table: reached }) => reached !== table.name);
  }
  return joined;
}

/** `Matches 27,921 of 32,735 rows of flights (85.2 %).` A share is never rounded up to all of them. */
function evidenceText({ rows, matched, isSampled }: Inclusion, table: string): string {
  const [some, all] = [matched, rows].map(count => count.toLocaleString('en'));
  const of = `${all} ${isSampled ? 'sampled ' : ''}rows of ${table} that have a value`;
  return matched === rows
    ? `Matches all ${of}.`
    : `Matches ${some} of ${of} (${Math.floor((matched / rows) * 1000) / 10} %).`;
}

function inColumnOrder(
  used: readonly Relationship[],
  table: string,
  tables: ReadonlyMap<string, TableProfile>,
): Relationship[] {
  const columns = tables.get(table)?.columns.map(({ name }) => name) ?? [];
  const place = ({ from }: Relationship) => columns.indexOf(from.columns[0]!);
  return used.filter(({ from }) => from.table === table).toSorted((a, b) => place(a) - place(b));
}

/** `origin_airport_id` is the role `origin_airport`; `reports_to` stays. */
function roleOf(column: string): string {
  const { words, suffix } = referenceName(column);
  return (words.length > 0 ? words : [suffix ?? column]).join('_');
}
