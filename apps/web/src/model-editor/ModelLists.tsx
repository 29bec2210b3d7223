import { labelFrom, type FilterDefault, type ModelFile } from '@belvedere/document';
import { SearchField } from '@belvedere/ui';
import { CircleAlert, EyeOff, Funnel, Link2, ListTree, Plus, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { describeCondition } from '../dashboard/tiles/describe.ts';
import { useEditor } from '../editor/state/editing.ts';
import { typeGlyphs } from '../editor/encoding/kinds.ts';
import { words } from '../editor/messages/words.ts';
import { Flags } from '../editor/presence/Flags.tsx';
import type { Section } from './model-editor.ts';
import { JoinMatchChip } from './panels/JoinMatch.tsx';
import { freeEntry, typesOf, useModelEditing } from './model-editing.ts';
import { inExpression } from './expressions/in-expression.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly glyph: ReactNode;
  readonly label: string;
  /** Its label is its maker's, not made of its name. */
  readonly isLabelled: boolean;
  readonly means: string;
  /** Beside its meaning. */
  readonly detail?: ReactNode;
  readonly isHidden: boolean;
}

/** The lists of a model: its dimensions, its measures and its joins. */
export function ModelLists() {
  const { editor, tables, own, columns } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const checked = useEditor(editor, state => state.checked);
  const types = typesOf(document, checked.dimensions, columns);
  const add = (section: Exclude<Section, 'policies'>, wanted: string, value: unknown) => {
    const name = freeEntry(wanted, document[section]);
    if (editor.apply(words.model.steps.add, [{ kind: 'set', path: [section, name], value }]))
      editor.select(`${section}.${name}`);
  };
  const dimensions = Object.keys(document.dimensions ?? {});
  const other = tables.find(table => table.name !== document.table);
  return (
    <div className="flex flex-col gap-6 pt-4">
      <List
        section="dimensions"
        rows={dimensionRows(document, types)}
        onAdd={() =>
          add('dimensions', words.model.newDimension, { expr: inExpression(columns[0]?.name ?? 'x') })
        }
        addLabel={words.model.addDimension}
        empty={words.model.noDimensions}
      />
      <List
        section="measures"
        rows={Object.entries(document.measures ?? {}).map(([name, { label, expr, hidden }]) => ({
          id: `measures.${name}`,
          name,
          glyph: 'fx',
          ...labelled(label, name),
          means: expr,
          isHidden: hidden ?? false,
        }))}
        onAdd={() => add('measures', words.model.newMeasure, { expr: 'count(*)' })}
        addLabel={words.model.addMeasure}
        empty={words.model.noMeasures}
      />
      <List
        section="joins"
        rows={Object.entries(document.joins ?? {}).map(([name, { table, on, between = {} }]) => ({
          id: `joins.${name}`,
          name,
          glyph: <Link2 size={13} aria-hidden />,
          ...labelled(table, table),
          means: [
            ...Object.entries(on).map(([here, there]) => `${here} = ${there}`),
            ...Object.entries(between).map(([here, [begin, end]]) => `${begin} ≤ ${here} < ${end}`),
          ].join(', '),
          detail: <JoinMatchChip name={name} />,
          isHidden: false,
        }))}
        onAdd={
          other &&
          (() => add('joins', other.name, { table: other.name, on: keysBetween(own, other.columns) }))
        }
        addLabel={words.model.addJoin}
        empty={words.model.noJoins}
      />
      {dimensions.length > 1 || document.hierarchies ? (
        <List
          section="hierarchies"
          rows={Object.entries(document.hierarchies ?? {}).map(([name, levels]) => ({
            id: `hierarchies.${name}`,
            name,
            glyph: <ListTree size={13} aria-hidden />,
            ...labelled(undefined, name),
            means: levels.join(' › '),
            isHidden: false,
          }))}
          onAdd={
            dimensions.length > 1
              ? () =>
                  add(
                    'hierarchies',
                    words.model.newHierarchy,
                    [...new Set([...dimensions.filter(name => types[name] === 'text'), ...dimensions])].slice(
                      0,
                      2,
                    ),
                  )
              : undefined
          }
          addLabel={words.model.addHierarchy}
          empty={words.model.noHierarchies}
        />
      ) : null}
      {dimensions.length > 0 || document.filters ? (
        <List
          section="filters"
          rows={Object.entries(document.filters ?? {}).map(([name, condition]) => ({
            id: `filters.${name}`,
            name,
            glyph: <Funnel size={13} aria-hidden />,
            ...labelled(document.dimensions?.[name]?.label, name),
            means: describeCondition(condition),
            isHidden: false,
          }))}
          onAdd={
            dimensions.some(name => !document.filters?.[name])
              ? () => {
                  const field =
                    dimensions.find(name => !document.filters?.[name] && types[name] === 'text') ??
                    dimensions.find(name => !document.filters?.[name])!;
                  // A new filter excludes nothing.
                  if (
                    editor.apply(words.model.steps.add, [
                      { kind: 'set', path: ['filters', field], value: leavingOutNothing(types[field]) },
                    ])
                  )
                    editor.select(`filters.${field}`);
                }
              : undefined
          }
          addLabel={words.page.addFilter}
          empty={words.model.noFilters}
        />
      ) : null}
      <List
        section="policies"
        rows={(document.policies ?? []).map(({ name, groups, where }, i) => ({
          id: `policies.${i}`,
          name,
          glyph: <ShieldCheck size={13} aria-hidden />,
          label: groups?.join(', ') ?? words.model.everyone,
          isLabelled: true,
          means: where,
          isHidden: false,
        }))}
        onAdd={() => {
          const count = document.policies?.length ?? 0;
          // A new policy lets all users see all rows.
          const policy = { name: words.model.newPolicy, everyone: true, where: 'true' };
          if (
            editor.apply(words.model.steps.add, [
              count === 0
                ? { kind: 'set', path: ['policies'], value: [policy] }
                : { kind: 'insert', path: ['policies', count], value: policy },
            ])
          )
            editor.select(`policies.${count}`);
        }}
        addLabel={words.model.addPolicy}
        empty={words.model.noPolicies}
      />
    </div>
  );
}

/** A condition to begin with, under which next to everything still counts. */
function leavingOutNothing(type: string | undefined): FilterDefault {
  return type === 'text' || type === undefined
    ? { noneOf: [''] }
    : type === 'boolean'
      ? { noneOf: [null] }
      : {};
}

function labelled(label: string | undefined, name: string) {
  return { label: label ?? labelFrom(name), isLabelled: label !== undefined };
}

function dimensionRows(
  { dimensions = {} }: ModelFile,
  types: Readonly<Record<string, string | undefined>>,
): Row[] {
  return Object.entries(dimensions).map(([name, { label, column, expr, hidden }]) => ({
    id: `dimensions.${name}`,
    name,
    glyph: typeGlyphs[types[name] ?? ''] ?? '?',
    ...labelled(label, column ?? name),
    means: expr ?? column ?? name,
    isHidden: hidden ?? false,
  }));
}

/** The columns that most likely mean the same: those of one name. */
function keysBetween(
  here: readonly { readonly name: string }[],
  there: readonly { readonly name: string }[],
): Record<string, string> {
  const shared = here.find(column => there.some(other => other.name === column.name));
  return shared ? { [shared.name]: shared.name } : { [here[0]?.name ?? '']: there[0]?.name ?? '' };
}

/** Longer lists than this are searched. */
const manyRows = 12;
/** And of these so many are drawn; others are found by their names. */
const maxRows = 150;

function List({
  section,
  rows,
  addLabel,
  empty,
  onAdd,
}: {
  readonly section: Section;
  readonly rows: readonly Row[];
  readonly addLabel: string;
  readonly empty: string;
  readonly onAdd: (() => void) | undefined;
}) {
  const { editor } = useModelEditing();
  const selected = useEditor(editor, state => state.selected[0]);
  const problems = useEditor(editor, state => state.checked.problems);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = rows.filter(row => `${row.name} ${row.label} ${row.means}`.toLowerCase().includes(wanted));
  const title = words.model[section];
  return (
    <section aria-label={title}>
      <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-1 pb-2">
        <h2 className="text-14 font-semibold">
          {title} <span className="tabular font-normal text-text-3">{rows.length}</span>
        </h2>
        <div className="flex min-w-0 items-center gap-2 max-sm:w-full max-sm:justify-between">
          {rows.length > manyRows ? (
            <div className="w-44 min-w-24 shrink">
              <SearchField label={words.add.find} value={search} onChange={setSearch} />
            </div>
          ) : null}
          {onAdd ? (
            <button
              type="button"
              onClick={onAdd}
              className="flex h-[30px] items-center gap-1 rounded-control border border-border bg-surface px-2.5 text-13 whitespace-nowrap hover:border-border-strong pointer-coarse:h-11"
            >
              <Plus size={14} aria-hidden />
              {addLabel}
            </button>
          ) : null}
        </div>
      </div>
      {rows.length === 0 ? (
        <p className="rounded-tile border border-dashed border-border px-4 py-5 text-center text-text-2">
          {empty}
        </p>
      ) : (
        <ul className="overflow-hidden rounded-tile border border-border bg-surface">
          {found.slice(0, maxRows).map(row => {
            const problem = problems.find(({ path }) => path === row.id || path.startsWith(`${row.id}.`));
            return (
              <li key={row.id} className="relative border-b border-border last:border-0">
                <Flags position={row.id} />
                <button
                  type="button"
                  data-entry={row.id}
                  aria-pressed={selected === row.id}
                  onClick={() => editor.select(row.id)}
                  className={`flex min-h-9 w-full items-center gap-3 px-3 py-1.5 text-start text-13 pointer-coarse:min-h-11 ${selected === row.id ? 'bg-accent-weak' : 'hover:bg-hover'}`}
                >
                  <span
                    aria-hidden
                    className="flex w-5 shrink-0 justify-center font-mono text-11 text-text-2"
                  >
                    {row.glyph}
                  </span>
                  {/* On phones, what a name means is below it. */}
                  <span className="contents max-sm:flex max-sm:min-w-0 max-sm:flex-1 max-sm:flex-col">
                    <span
                      className={`w-40 shrink-0 truncate font-medium max-sm:w-full ${row.isHidden ? 'text-text-3' : ''}`}
                    >
                      {row.name}
                    </span>
                    <span
                      className={`w-44 shrink-0 truncate max-lg:hidden ${row.isLabelled ? 'text-text-2' : 'text-text-3'}`}
                    >
                      {row.label}
                    </span>
                    <code className="min-w-0 flex-1 truncate font-mono text-12 text-text-2 max-sm:empty:hidden">
                      {row.means === row.name ? '' : row.means}
                    </code>
                  </span>
                  {row.detail}
                  {row.isHidden ? (
                    <EyeOff size={14} className="shrink-0 text-text-3" aria-label={words.page.hidden} />
                  ) : null}
                  {problem ? (
                    <CircleAlert size={15} className="shrink-0 text-bad" aria-label={problem.message} />
                  ) : null}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {found.length > maxRows ? (
        <p className="pt-2 text-12 text-text-2">{words.explore.more(found.length - maxRows)}</p>
      ) : null}
    </section>
  );
}
