import { joinSentences, type MatchCount } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { useMatches } from '../../data/server.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { words } from '../../relationships/messages/words.ts';
import type { Ends } from '../../relationships/relationship-key.ts';
import { matchText, shareText } from '../../relationships/relationship-texts.ts';
import type { ModelEditor } from '../model-editor.ts';
import { useModelEditing } from '../model-editing.ts';

/** Below this share of matching rows, a join deserves a second look. */
const minShare = 0.95;

/** A join's cardinality and the share of rows that match, in a few words. */
export function JoinMatchChip({ name }: { readonly name: string }) {
  const { ends, matches } = useJoinMatches(name);
  if (!ends || !matches) return null;
  return (
    <span className="flex shrink-0 items-center gap-2">
      <span className="text-12 text-text-2 max-md:hidden">
        {matches.isUnique ? words.cardinalities['many-to-one'] : words.manyToMany}
      </span>
      <StateChip tone={isWarned(matches) ? 'warn' : 'good'}>
        {!matches.isUnique
          ? ends.between
            ? words.rangesOverlap
            : words.keyNotUnique
          : matches.matched === matches.rows
            ? words.allMatch
            : words.shareMatches(shareText(matches.matched / matches.rows))}
      </StateChip>
    </span>
  );
}

/** The same in sentences with figures, and what a wrong join would do. */
export function JoinMatchNote({ name }: { readonly name: string }) {
  const { ends, matches } = useJoinMatches(name);
  if (!ends || !matches) return null;
  return (
    <p
      role="status"
      className={`rounded-control px-2.5 py-2 text-12 ${isWarned(matches) ? 'bg-warn-weak text-warn' : 'bg-hover text-text-2'}`}
    >
      {joinSentences([
        matchText(ends, matches),
        !matches.isUnique
          ? ends.between
            ? words.overlapsNotJoined
            : words.repeatedKeysNotJoined
          : matches.matched < matches.rows
            ? words.unmatchedStay
            : words.isUnique,
      ])}
    </p>
  );
}

const isWarned = ({ isUnique, matched, rows }: MatchCount) => !isUnique || matched < rows * minShare;

function useJoinMatches(name: string): { readonly ends?: Ends; readonly matches?: MatchCount | undefined } {
  const { editor, tables, own } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const ends = endsOf(document, name, tables, own);
  const { data } = useMatches(document.source ?? 'files', ends);
  return ends ? { ends, matches: data?.matches } : {};
}

type Tables = ReturnType<typeof useModelEditing>['tables'];

/** Undefined for joins of other sources, and for keys of several tables or of SQL, which cannot be counted. */
function endsOf(
  { table, joins = {}, sql }: ModelEditor['state']['document'],
  name: string,
  tables: Tables,
  own: readonly { readonly name: string }[],
): Ends | undefined {
  const join = joins[name];
  if (!join || join.source !== undefined) return undefined;
  const [range] = Object.entries(join.between ?? {});
  const starts = [...Object.keys(join.on), ...(range ? [range[0]] : [])].map(text => {
    const dot = text.indexOf('.');
    const through =
      dot < 0 || own.some(column => column.name === text) ? undefined : joins[text.slice(0, dot)];
    return through
      ? { table: through.table, column: text.slice(dot + 1) }
      : { table: sql === undefined ? table : undefined, column: text };
  });
  const [first] = starts;
  if (first?.table === undefined || starts.some(one => one.table !== first.table)) return undefined;
  const keys = Object.values(join.on);
  const [from, to] = [
    { table: first.table, columns: starts.map(({ column }) => column) },
    { table: join.table, columns: [...keys, ...(range?.[1] ?? [])] },
  ];
  const ends: Ends = {
    from: { ...from, columns: from.columns.slice(0, keys.length) },
    to: { ...to, columns: keys },
    ...(range && { between: { column: starts.at(-1)!.column, begin: range[1][0], end: range[1][1] } }),
  };
  const exists = [from, to].every(end => {
    const columns = tables.find(one => one.name === end.table)?.columns;
    return end.columns.every(column => columns?.some(one => one.name === column));
  });
  return exists ? ends : undefined;
}
