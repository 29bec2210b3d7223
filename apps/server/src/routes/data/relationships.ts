import { isDatabaseFile } from '@belvedere/document';
import type { RelationshipEnds, TableColumns } from '@belvedere/model';
import { notFound, requireRawAccess } from '../../access/may.ts';
import {
  relationshipsOfFiles,
  relationshipsOfSource,
  type PresentedRelationships,
} from '../../presenters/present-relationships.ts';
import { ProblemError } from '../../http/problems.ts';
import { saveDecision } from '../../workspace/relationships/save-decision.ts';
import { extractName } from '../../workspace/sources/extract-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** A page shows a decision at once, unless comparing the tables takes longer. */
const longestWaitMs = 3000;

/** Endpoints for how the tables of a source refer to each other. */
export function relationshipRoutes(
  store: WorkspaceStore,
): Pick<Handlers, 'getRelationships' | 'countMatches' | 'saveRelationship'> {
  /**
   * The tables and columns that are meant, by the names of the source that holds them: the tables of a
   * database file are among the files.
   * @throws ProblemError `request-invalid`
   */
  const resolved = (name: string, { from, to, between }: RelationshipEnds, granted: Workspace) => {
    const isFile = name === 'files' || isDatabaseFile(granted.sources.get(name));
    const { tables } = all(name, granted);
    const end = ({ table: called, columns }: TableColumns): TableColumns => {
      const table =
        tables.find(one => one.name === called) ??
        tables.find(one => isFile && name !== 'files' && one.name === extractName(name, called));
      if (!table) throw new ProblemError('request-invalid', `There is no table \`${called}\`.`);
      const missing = columns.find(column => !table.columns.some(one => one.name === column));
      if (missing !== undefined)
        throw new ProblemError('request-invalid', `\`${called}\` has no column \`${missing}\`.`);
      return { table: table.name, columns };
    };
    if (from.columns.length !== to.columns.length || new Set(from.columns).size < from.columns.length)
      throw new ProblemError('request-invalid', 'Each column needs one column that it is compared with.');
    if (from.table === to.table && from.columns.join('\n') === to.columns.join('\n'))
      throw new ProblemError('request-invalid', 'A column cannot refer to itself.');
    const ends = { from: end(from), to: end(to), ...(between && { between }) };
    // Of a range, its columns exist, too.
    if (between) {
      end({ ...from, columns: [between.column] });
      end({ ...to, columns: [between.begin, between.end] });
    }
    return { source: isFile ? 'files' : name, ends };
  };
  return {
    getRelationships: ({ params: { name }, caller, granted }) => {
      requireRawAccess(caller, store.current);
      return all(name, granted());
    },

    countMatches: async ({ params: { name }, body, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      const { source, ends } = resolved(name, body, granted());
      const counted = await store.relationships.measure(source, ends, signal);
      if (!counted) return {};
      const { rows, matched, isUnique, isSampled } = counted;
      return { matches: { rows, matched, isUnique, ...(isSampled && { isSampled }) } };
    },

    saveRelationship: async ({ params: { name }, body: { use, ...wanted }, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      const { source, ends } = resolved(name, wanted, granted());
      if (use === 'always') {
        const counted = await store.relationships.measure(source, ends, signal);
        if (!counted)
          throw new ProblemError(
            'request-invalid',
            'These columns could not be compared: their types differ, or counting takes too long.',
          );
        const [to, keys] = [ends.to.table, ends.to.columns.join(', ')];
        if (!counted.isUnique)
          throw new ProblemError(
            'request-invalid',
            ends.between
              ? `Ranges of \`${to}\` overlap for the same \`${keys}\`. Correct its data, or choose other columns.`
              : `\`${to}.${keys}\` has values that occur more than once. Choose columns that identify a row.`,
          );
      }
      const file = await saveDecision(store, source, ends, use);
      await Promise.race([
        store.relationships.settled(),
        new Promise(resolve => setTimeout(resolve, longestWaitMs).unref()),
      ]);
      return { file };
    },
  };
}

function all(name: string, granted: Workspace): PresentedRelationships {
  if (name === 'files') return relationshipsOfFiles(granted, () => true);
  const source = granted.sources.get(name);
  if (!source) throw notFound({ kind: 'source', id: name });
  // The tables of a database file are shared with its source.
  return isDatabaseFile(granted.sources.get(name))
    ? relationshipsOfFiles(granted.whole ?? granted, ({ found }) => found.name === name)
    : relationshipsOfSource(source, granted);
}
