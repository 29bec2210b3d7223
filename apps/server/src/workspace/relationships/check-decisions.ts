import { didYouMean, type DocumentProblem } from '@belvedere/document';
import { relationshipKey } from '@belvedere/model';
import type { Workspace } from '../workspace.ts';
import { endsOf, type TableDecisions } from './decisions.ts';

/** Decisions that name sources, tables or columns that do not exist, or that the data contradicts. */
export function problemsOfDecisions(
  all: readonly TableDecisions[],
  { tables, sources, relationships }: Pick<Workspace, 'tables' | 'sources' | 'relationships'>,
): DocumentProblem[] {
  return all.flatMap(({ source: name, table, file, relationships: decided, locate }) => {
    const problem = (path: readonly (string | number)[], message: string): DocumentProblem => ({
      code: 'document.invalid',
      file,
      path: path.join('.'),
      ...locate(path),
      message,
    });
    const source = sources.get(name);
    if (name !== 'files' && !source)
      return problem(
        ['relationships'],
        `There is no source \`${name}\`${didYouMean(name, [...sources.keys()])}`,
      );
    // While tables are read, or a source is not connected, nothing can be said about them.
    const columns = source
      ? new Map(source.tables.map(one => [one.called, one.columns.map(column => column.name)]))
      : new Map(
          [...tables].flatMap(([called, { imported }]) =>
            imported ? [[called, imported.columns.map(column => column.name)] as const] : [],
          ),
        );
    const isIncomplete = source
      ? source.tables.length === 0
      : [...tables.values()].some(
          one => !one.imported && one.state !== 'rejected' && one.state !== 'stopped',
        );
    if (isIncomplete) return [];
    const missing = (called: string, wanted: readonly string[]): string[] => {
      const known = columns.get(called);
      if (!known) return [`There is no table \`${called}\`${didYouMean(called, [...columns.keys()])}`];
      return wanted
        .filter(column => !known.includes(column))
        .map(column => `\`${called}\` has no column \`${column}\`${didYouMean(column, known)}`);
    };
    return decided.flatMap((decision, i) => {
      const { table: to, use = true, between = {} } = decision;
      const ends = endsOf(table, decision);
      const [from, keys] = [ends.from.columns, ends.to.columns];
      const key = relationshipKey(ends);
      const messages = [
        ...missing(table, [...from, ...Object.keys(between)]),
        ...missing(to, [...keys, ...Object.values(between).flat()]),
      ];
      const found = relationships.get(name)?.find(one => relationshipKey(one) === key);
      if (use && messages.length === 0 && found?.reason === 'not unique')
        messages.push(
          `\`${to}.${keys.join(', ')}\` has values that occur more than once, ` +
            'so this relationship is not used: its rows would be counted several times.',
        );
      if (use && messages.length === 0 && found?.reason === 'overlaps')
        messages.push(
          `Ranges of \`${to}\` overlap for the same \`${keys.join(', ')}\`, ` +
            'so this relationship is not used: a row would find several.',
        );
      return messages.map(message => problem(['relationships', i], message));
    });
  });
}
