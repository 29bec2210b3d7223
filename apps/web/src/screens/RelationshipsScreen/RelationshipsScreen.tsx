import { joinSentences, type RelatedTable, type TableRelationship } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, SearchField, StateChip, Tabs } from '@belvedere/ui';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client, queryClient, useRelationships, useSources, useTables } from '../../data/server.ts';
import { useChange } from '../../data/use-change.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { t } from '../../messages/messages.ts';
import { words } from '../../relationships/messages/words.ts';
import { RelationshipActions, type Use } from '../../relationships/RelationshipActions.tsx';
import type { Chosen, ColumnPlace } from '../../relationships/RelationshipDiagram.tsx';
import { RelationshipTable, verdictTones } from '../../relationships/RelationshipTable.tsx';
import { keyOf, type Ends } from '../../relationships/relationship-key.ts';
import { endText } from '../../relationships/relationship-texts.ts';
import { count, matchText, reasonText } from '../../relationships/relationship-texts.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

const RelationshipDiagram = lazyComponent(() =>
  import('../../relationships/RelationshipDiagram.tsx').then(module => module.RelationshipDiagram),
);
const AddRelationshipDialog = lazyComponent(() =>
  import('../../relationships/AddRelationshipDialog.tsx').then(module => module.AddRelationshipDialog),
);

/** The columns that a new relationship begins with. */
interface NewLink {
  readonly from: Partial<ColumnPlace>;
  readonly to: Partial<ColumnPlace>;
}

/** How the tables of a source refer to each other: a diagram and a table, both editable. */
export function RelationshipsScreen() {
  const { source } = useParams({ from: '/data/relationships/$source' });
  const { view } = useSearch({ from: '/data/relationships/$source' });
  const { data, error } = useRelationships(source);
  const { data: databases } = useSources();
  const navigate = useNavigate();
  const permissions = usePermissions();
  const isWide = useIsWide();
  const { data: files } = useTables();
  const isImporting =
    source === 'files' &&
    files?.tables.some(({ state }) => state === 'importing' || state === 'waiting') === true;
  const [chosen, setChosen] = useState<Chosen>();
  const [newLink, setNewLink] = useState<NewLink>();
  const { change, isBusy, problem } = useChange(() =>
    queryClient.invalidateQueries({ queryKey: ['workspace'] }),
  );
  const drawn = useMemo(
    () => data?.relationships.filter(({ verdict }) => verdict !== 'refused') ?? [],
    [data],
  );
  if (error) return <ErrorScreen error={error} />;
  const title =
    source === 'files'
      ? words.title
      : words.of(databases?.sources.find(({ name }) => name === source)?.label ?? source);
  const shown = view ?? (isWide ? 'diagram' : 'table');
  const save = (ends: Ends, use: Use) =>
    client.saveRelationship({
      params: { name: source },
      body: { from: ends.from, to: ends.to, ...(ends.between && { between: ends.between }), use },
    });
  const onUse = permissions.data
    ? (one: TableRelationship, use: Use) => void change(() => save(one, use))
    : undefined;
  const used = drawn.filter(({ verdict }) => verdict === 'used').length;
  return (
    <div
      className={`mx-auto flex flex-col pt-4 ${shown === 'diagram' ? 'h-[calc(100dvh-96px)] min-h-[480px]' : 'max-w-[1180px]'}`}
    >
      <HeaderTitle title={title}>
        <Link to="/data" className="text-13 text-text-2 hover:text-text">
          {t.data.title}
        </Link>
        <span aria-hidden className="text-text-3">
          /
        </span>
        <span className="truncate text-14 font-semibold">{title}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">{title}</h1>
        {data ? <span className="text-13 text-text-2">{words.counts(used, drawn.length - used)}</span> : null}
        <span className="flex-1" />
        <Tabs
          label={words.view}
          titles={[words.diagram, words.table]}
          selected={shown === 'diagram' ? 0 : 1}
          onSelect={i =>
            void navigate({
              to: '/data/relationships/$source',
              params: { source },
              search: { view: i === 0 ? 'diagram' : 'table' },
              replace: true,
            })
          }
        />
        {permissions.data && data && data.tables.length > 0 ? (
          <Button
            onPress={() =>
              setNewLink({ from: chosen?.kind === 'table' ? { table: chosen.name } : {}, to: {} })
            }
          >
            {words.add}
          </Button>
        ) : null}
      </div>
      <p className="pb-3 text-13 text-text-2">{words.hint}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mb-3 rounded-control bg-bad-weak px-3 py-2 text-13 text-bad">
          {problem}
        </p>
      )}
      {!data || (data.tables.length === 0 && isImporting) ? (
        <p role="status" className="text-text-2">
          {words.loading}
        </p>
      ) : data.tables.length === 0 ? (
        <Empty text={words.noTables} />
      ) : shown === 'table' ? (
        data.relationships.length === 0 ? (
          <Empty text={words.none} />
        ) : (
          <RelationshipTable relationships={data.relationships} isBusy={isBusy} onUse={onUse} />
        )
      ) : (
        <div className="flex min-h-0 flex-1 gap-3 max-[900px]:flex-col">
          <LazyBoundary fallback={<div className="flex-1" />}>
            <RelationshipDiagram
              tables={data.tables}
              relationships={drawn}
              chosen={chosen}
              onChoose={setChosen}
              onConnect={permissions.data ? (from, to) => setNewLink({ from, to }) : undefined}
            />
          </LazyBoundary>
          <Panel
            source={source}
            chosen={chosen}
            tables={data.tables}
            relationships={data.relationships}
            isBusy={isBusy}
            onUse={onUse}
            onChoose={setChosen}
          />
        </div>
      )}
      {newLink && data ? (
        <LazyBoundary fallback={null}>
          <AddRelationshipDialog
            {...newLink}
            source={source}
            tables={data.tables}
            onSave={async ends => {
              await save(ends, 'always');
              await queryClient.invalidateQueries({ queryKey: ['workspace'] });
            }}
            onClose={() => setNewLink(undefined)}
          />
        </LazyBoundary>
      ) : null}
    </div>
  );
}

function Empty({ text }: { readonly text: string }) {
  return (
    <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
      {text}
    </p>
  );
}

/** All tables by name, to find one in a large diagram. */
function TableList({ tables, onChoose }: Pick<PanelProps, 'tables' | 'onChoose'>) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  return (
    <>
      <SearchField label={words.findTable} value={search} onChange={setSearch} />
      <ul className="flex flex-col pt-2">
        {tables
          .filter(({ name }) => name.toLowerCase().includes(wanted))
          .map(({ name }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => onChoose({ kind: 'table', name })}
                className="w-full truncate rounded-control px-2 py-1 text-start hover:bg-hover pointer-coarse:min-h-11"
              >
                {name}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

interface PanelProps {
  readonly source: string;
  readonly chosen: Chosen | undefined;
  readonly tables: readonly RelatedTable[];
  readonly relationships: readonly TableRelationship[];
  readonly isBusy: boolean;
  readonly onUse: ((relationship: TableRelationship, use: Use) => void) | undefined;
  readonly onChoose: (chosen: Chosen) => void;
}

const panelLook = 'w-72 shrink-0 overflow-y-auto rounded-tile border border-border bg-surface p-3 text-13';

/** What is chosen in the diagram: a table with its relationships, or one relationship with its figures. */
function Panel({ source, chosen, tables, relationships, isBusy, onUse, onChoose }: PanelProps) {
  const table = chosen?.kind === 'table' ? tables.find(({ name }) => name === chosen.name) : undefined;
  const link = chosen?.kind === 'link' ? relationships.find(one => keyOf(one) === chosen.key) : undefined;
  return (
    <aside
      key={JSON.stringify(chosen)}
      aria-label={words.title}
      className={`${panelLook} max-[900px]:max-h-56 max-[900px]:w-full`}
    >
      {table ? (
        <>
          <h2 className="text-14 font-semibold break-words">{table.name}</h2>
          <p className="pb-2 text-text-2">
            {table.rows === undefined ? null : `${words.rows(count(table.rows))} · `}
            {source === 'files' ? (
              <Link
                to="/data/files/$table"
                params={{ table: table.name }}
                className="text-accent-text underline"
              >
                {words.openTable}
              </Link>
            ) : null}
          </p>
          <ul className="flex flex-col">
            {relationships
              .filter(({ from, to }) => from.table === table.name || to.table === table.name)
              .map(one => (
                <li key={keyOf(one)}>
                  <button
                    type="button"
                    onClick={() => onChoose({ kind: 'link', key: keyOf(one) })}
                    className="w-full rounded-control px-2 py-1.5 text-start break-words hover:bg-hover"
                  >
                    {endText(one.from)} → {endText(one.to)}
                    <span className="block text-12 text-text-3">{words.verdicts[one.verdict]}</span>
                  </button>
                </li>
              ))}
          </ul>
        </>
      ) : link ? (
        <div className="flex flex-col gap-2">
          <h2 className="text-14 font-semibold break-words">
            {endText(link.from)} → {endText(link.to)}
          </h2>
          {link.between ? (
            <p className="break-words text-text-2">
              {words.during(link.between.column, link.between.begin, link.between.end)}
            </p>
          ) : null}
          <p>
            <StateChip tone={verdictTones[link.verdict]}>{words.verdicts[link.verdict]}</StateChip>{' '}
            <span className="text-text-2">{words.cardinalities[link.cardinality]}</span>
          </p>
          <p>{link.matches ? matchText(link, link.matches) : words.notCounted}</p>
          <p className="text-text-2">{reasonText(link)}</p>
          {onUse ? <RelationshipActions relationship={link} isBusy={isBusy} onUse={onUse} /> : null}
        </div>
      ) : (
        <>
          <p className="pb-3 text-text-2">{joinSentences([words.chooseHint, onUse && words.addHint])}</p>
          <TableList tables={tables} onChoose={onChoose} />
        </>
      )}
    </aside>
  );
}
