import { writeEntries, type Tile } from '@belvedere/document';
import type { DashboardState, Search } from '@belvedere/api';
import { isMeasureField, type Adjustment, type FieldFacts, type FieldFilter } from '@belvedere/query';
import { Button, IconButton, SearchField } from '@belvedere/ui';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { Plus, Redo2, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { FilterBar } from '../../dashboard/filters/FilterBar.tsx';
import type { ResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { connection } from '../../data/connection.ts';
import { client } from '../../data/server.ts';
import { isAllowed } from '../../data/permissions.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import type { Backup } from '../../editor/state/document-editor.ts';
import { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { EditedCalendar } from '../../editor/canvas/EditedCalendar.tsx';
import { DropZones } from '../../editor/canvas/DropZones.tsx';
import { useDragSource } from '../../editor/canvas/drag-and-drop.ts';
import { EditingContext, useEditor, type Dragged, type Editing } from '../../editor/state/editing.ts';
import {
  matchesSearch,
  useFieldProfiles,
  useModelProfile,
  useModels,
  type FieldProfiles,
} from '../../editor/encoding/field-profiles.ts';
import { dataKinds } from '../../editor/encoding/kinds.ts';
import { ChartKinds } from '../../editor/inspector/tile/ChartKinds.tsx';
import { ShelfField } from '../../editor/inspector/field/ShelfField.tsx';
import { loadWords, words } from '../../editor/messages/words.ts';
import { tilesOf } from '../../editor/state/commands.ts';
import { shelvesOf } from '../../editor/encoding/encoding-shelves.ts';
import { useLoadUnreached } from '../../live/use-load-unreached.ts';
import { useSettled } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { useIsCurrentPage } from '../../shell/use-is-current-page.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { chartWith, firstChart, withFilters } from './explore-chart.ts';
import { chartId, exploreDocument, findColumns, rowsId } from './explore-document.ts';
import { exploredFromSearch, searchFromExplored } from './explore-url.ts';
import { AddFieldButton } from '../../model-editor/AddFieldButton.tsx';
import { SaveToDialog } from './SaveToDialog.tsx';

const chartPath = ['pages', 0, 'tiles', chartId] as const;
/** The URL holds the state of Explore. */
const noBackup: Backup = { read: () => undefined, write: () => {}, drop: () => {} };

/** Explores a model: its columns, a chart of them, and the rows. A selection in one filters the others. */
export function ExploreScreen() {
  const { model } = useParams({ from: '/explore/$model' });
  const models = useModels();
  const facts = useFieldProfiles(models, model);
  const { error } = useModelProfile(model);
  const entry = useHistoryEntry();
  if (error) return <ErrorScreen error={error} />;
  return facts?.profile ? (
    <BeginExploring key={`${model} ${entry}`} facts={facts} models={models} entry={entry} />
  ) : (
    <Waiting />
  );
}

/**
 * Returns the entry of the browser's history that is explored. What is asked for by name is another entry; the
 * page's own steps replace theirs. It stays while another page loads, or that page's address would be explored.
 */
function useHistoryEntry(): number | undefined {
  const isHere = useIsCurrentPage('/explore/$model');
  const current = useRouterState({
    select: ({ location }) => (isHere() ? location.state.__TSR_index : undefined),
  });
  const [entry, setEntry] = useState(current);
  if (current !== undefined && current !== entry) setEntry(current);
  return current ?? entry;
}

function Waiting() {
  return (
    <HeaderTitle title={t.data.explore}>
      <h1 className="truncate text-14 font-semibold">{t.data.explore}</h1>
    </HeaderTitle>
  );
}

function BeginExploring({
  facts,
  models,
  entry,
}: {
  readonly facts: FieldProfiles;
  readonly models: Editing['models'];
  readonly entry: number | undefined;
}) {
  // The initial profiles are kept: later ones must not change the user's chart.
  const [first] = useState(facts);
  // A route's own search still is that of the entry before while the next one begins.
  const address = useRouterState({ select: ({ location }) => location.search as Search });
  const [requested] = useState(() => exploredFromSearch(address));
  const [opened, setOpened] = useState<{ readonly editor?: DashboardEditor; readonly error?: Error }>({});
  useEffect(() => {
    let editor: DashboardEditor | undefined;
    let isGone = false;
    // Each window has its own state; charts are not shared.
    const id = `explore:${first.name}:${connection.window}:page${entry}`;
    const begin = async () => {
      await loadWords();
      await client.dropDraft({ params: { id } });
      const text = writeEntries(
        exploreDocument(
          first,
          findColumns(first, requested.find, requested.state).shown,
          requested.chart ?? firstChart(first),
        ),
      );
      const { version, dashboard } = await client.putDraft({
        params: { id },
        body: { text, base: '', after: 0 },
      });
      if (isGone) return;
      editor = new DashboardEditor(
        id,
        client,
        noBackup,
        { file: 'explore.yaml', text, hash: '', draft: { text, base: text, baseHash: '', version } },
        dashboard,
      );
      editor.setState(requested.state);
      setOpened({ editor });
    };
    void begin().catch((error: Error) => setOpened({ error }));
    return () => {
      isGone = true;
      editor?.close();
      void client.dropDraft({ params: { id } }).catch(() => {});
      setOpened({});
    };
  }, [first, requested, entry]);
  if (opened.error) return <ErrorScreen error={opened.error} />;
  return opened.editor ? (
    <EditedCalendar editor={opened.editor}>
      <Explore editor={opened.editor} facts={facts} models={models} requested={requested} />
    </EditedCalendar>
  ) : (
    <Waiting />
  );
}

function Explore({
  editor,
  facts,
  models,
  requested,
}: {
  readonly editor: DashboardEditor;
  readonly facts: FieldProfiles;
  readonly models: Editing['models'];
  readonly requested: ReturnType<typeof exploredFromSearch>;
}) {
  const permissions = usePermissions();
  const model = models.find(({ name }) => name === facts.name);
  const [dragged, setDragged] = useState<Dragged>();
  const editing = useMemo(
    (): Editing => ({ editor, models, facts, dragged, setDragged }),
    [editor, models, facts, dragged],
  );
  const document = useEditor(editor, state => state.document);
  const shown = useEditor(editor, state => state.shown);
  const last = useEditor(editor, state => state.history.past.at(-1)?.name);
  const next = useEditor(editor, state => state.history.future.at(-1)?.name);
  useLoadUnreached(shown.live);
  const { state, applied, dataTime } = useSettled(shown.live);
  const [search, setSearch] = useState(requested.find);
  const [isSaving, setIsSaving] = useState(false);
  const chart = tilesOf(document, 0)[chartId]!;
  const columns = findColumns(facts, search, state);
  const navigate = useNavigate({ from: '/explore/$model' });
  const isHere = useIsCurrentPage('/explore/$model');
  // A reloaded or shared URL shows the same. Undo is separate from the browser's history, which would get an
  // entry for each step.
  useEffect(() => {
    const isFirst = JSON.stringify(chart) === JSON.stringify(firstChart(facts));
    const timer = setTimeout(
      () =>
        isHere() &&
        void navigate({
          search: searchFromExplored({ chart: isFirst ? undefined : chart, find: search.trim(), state }),
          replace: true,
          resetScroll: false,
        }),
      200,
    );
    return () => clearTimeout(timer);
  }, [isHere, navigate, facts, chart, search, state]);
  const isSelected = Object.values(state.selections).some(boxes => boxes.length > 0);
  // The shown columns follow from the search and the selections, and are not undone with the chart.
  const shownColumns = columns.shown.map(({ tile }) => tile).join();
  const showColumns = useEffectEvent(() =>
    editor.amend([{ kind: 'set', path: [], value: exploreDocument(facts, columns.shown, chart) }]),
  );
  useEffect(() => showColumns(), [editor, shownColumns]);
  const onFilter = (field: string, condition: FieldFilter | null | undefined) => {
    const { [field]: _, ...others } = state.filters;
    editor.setState({
      ...state,
      filters: condition === undefined ? others : { ...others, [field]: condition },
    });
  };
  const setChart = (tile: Tile, name: string, joins?: string) =>
    editor.apply(name, [{ kind: 'set', path: [...chartPath], value: tile }], joins);
  const put = (field: FieldFacts) => {
    const made = chartWith(chart, field, facts);
    if (made) setChart(made, words.steps.field);
  };
  const measures = facts.fields.filter(field => isMeasureField(field) && matchesSearch(field, search));
  return (
    <EditingContext value={editing}>
      <HeaderTitle title={words.explore.title(facts.label)}>
        <h1 className="truncate text-14 font-semibold">{words.explore.title(facts.label)}</h1>
        {permissions.data && isAllowed(model ?? {}, 'edit') ? (
          <Link
            to="/models/$model"
            params={{ model: facts.name }}
            className="shrink-0 text-13 text-accent-text underline max-sm:hidden"
          >
            {t.data.editModel}
          </Link>
        ) : null}
        <span className="flex max-sm:hidden">
          <IconButton label={words.undo(last)} isDisabled={last === undefined} onPress={() => editor.undo()}>
            <Undo2 size={16} aria-hidden />
          </IconButton>
          <IconButton label={words.redo(next)} isDisabled={next === undefined} onPress={() => editor.redo()}>
            <Redo2 size={16} aria-hidden />
          </IconButton>
        </span>
        <span className="ms-auto flex gap-2">
          {isSelected ? (
            <Button onPress={() => editor.setState({ ...state, selections: {} })}>
              {words.explore.clear}
            </Button>
          ) : null}
          {permissions.team && model && permissions.data && isAllowed(model, 'manage') ? (
            <ShareButton
              shared={{ kind: 'model', id: model.name, label: model.label }}
              address={`/explore/${encodeURIComponent(model.name)}`}
            />
          ) : null}
          {permissions.create ? (
            <Button look="primary" onPress={() => setIsSaving(true)}>
              <span className="max-sm:hidden">{words.explore.save}</span>
              <span className="sm:hidden">{words.save}</span>
            </Button>
          ) : null}
        </span>
      </HeaderTitle>
      {isSaving ? (
        <SaveToDialog tile={withFilters(chart, state)} facts={facts} onClose={() => setIsSaving(false)} />
      ) : null}
      {shown.dashboard.document && Object.values(state.filters).some(Boolean) ? (
        <FilterBar
          live={shown.live}
          selecting="nothing"
          dashboard={shown.dashboard as ResolvedDashboard}
          state={state}
          applied={applied}
          dataTime={dataTime}
          onFilter={onFilter}
          onReset={() => editor.setState({ page: 0, filters: {}, selections: {} })}
          onParameter={nothing}
          onClearSelection={tile =>
            editor.setState({
              ...state,
              selections: Object.fromEntries(
                Object.entries(state.selections).filter(([other]) => other !== tile),
              ),
            })
          }
        />
      ) : null}
      {requested.isWhole ? null : (
        <p role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {words.explore.staleLink}
        </p>
      )}
      <div className="flex gap-4 pt-3 max-lg:flex-col">
        {/* The fields scroll by themselves beside the chart, and come after it where there is no room beside it. */}
        <aside
          aria-label={words.explore.fields}
          className="-m-1 flex w-[308px] shrink-0 flex-col gap-3 p-1 max-lg:order-3 max-lg:m-0 max-lg:w-full max-lg:p-0 lg:sticky lg:top-12 lg:h-[calc(100dvh-var(--spacing)*14)] lg:overflow-y-auto"
        >
          <SearchField label={words.explore.find} value={search} onChange={setSearch} />
          {model ? <AddFieldButton model={model} onAdded={() => setSearch('')} /> : null}
          {measures.length > 0 ? (
            <section aria-label={words.add.measures}>
              <h2 className="pb-1 text-11 text-text-3">{words.add.measures}</h2>
              <div className="flex max-h-40 flex-wrap gap-1 overflow-y-auto">
                {measures.map(field => (
                  <MeasureButton key={field.name} field={field} onPut={() => put(field)} />
                ))}
              </div>
            </section>
          ) : null}
          {columns.shown.map(({ field, tile, height }) => (
            <div key={field.name} className="flex shrink-0 flex-col gap-1" data-column={field.name}>
              <div style={{ height }}>
                <ExploreTile id={tile} editor={editor} />
              </div>
              <PutButton field={field} onPut={() => put(field)} />
            </div>
          ))}
          {columns.more > 0 ? (
            <p className="text-12 text-text-2">{words.explore.more(columns.more)}</p>
          ) : null}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col gap-3 max-lg:contents">
          <section
            aria-label={words.tile.data}
            className="rounded-tile border border-border bg-surface p-3 max-lg:order-2"
          >
            <ChartKinds
              tile={chart}
              facts={facts}
              kinds={dataKinds}
              hasNames
              onKind={tile => setChart(tile, words.steps.kind)}
            />
            <div className="grid grid-cols-[repeat(auto-fill,minmax(170px,1fr))] gap-2 pt-1">
              {shelvesOf[chart.kind].map(shelf => (
                <ShelfField
                  key={shelf.key}
                  tile={chart}
                  shelf={shelf}
                  facts={facts}
                  onChange={(tile, joins) => setChart(tile, words.steps.field, joins)}
                />
              ))}
            </div>
          </section>
          <div className="relative h-[400px] shrink-0 max-lg:order-1">
            <ExploreTile id={chartId} editor={editor} />
            {dragged && 'field' in dragged ? <DropZones id={chartId} tile={chart} /> : null}
          </div>
          <div className="h-[340px] shrink-0 max-lg:order-4">
            <ExploreTile id={rowsId} editor={editor} />
          </div>
        </div>
      </div>
    </EditingContext>
  );
}

/** Adds a field to the chart, by a click or by dragging it onto a shelf. */
function PutButton({ field, onPut }: { readonly field: FieldFacts; readonly onPut: () => void }) {
  return (
    <button
      type="button"
      {...useDragSource({ field: field.name })}
      data-field={field.name}
      onClick={onPut}
      // At the start, because the tile's tools are at the other end.
      className="flex h-6 max-w-full cursor-grab items-center gap-1 self-start rounded-control px-1.5 text-11 text-text-2 select-none hover:bg-hover hover:text-text pointer-coarse:h-11"
    >
      <Plus size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{words.explore.put(field.label)}</span>
    </button>
  );
}

/** A measure to be put into the chart. */
function MeasureButton({ field, onPut }: { readonly field: FieldFacts; readonly onPut: () => void }) {
  return (
    <button
      type="button"
      {...useDragSource({ field: field.name })}
      data-field={field.name}
      onClick={onPut}
      aria-label={words.explore.put(field.label)}
      title={field.description}
      className="flex h-6 max-w-full cursor-grab items-center gap-1.5 rounded-control border border-border bg-surface px-1.5 text-12 select-none hover:border-border-strong hover:bg-hover pointer-coarse:h-11 pointer-coarse:px-2.5"
    >
      <Plus size={12} aria-hidden className="shrink-0 text-text-3" />
      <span className="truncate">{field.label}</span>
    </button>
  );
}

const nothing = () => {};

/** The state after the user changed a tile. Its selection is cleared, because it may no longer fit. */
function adjusted(state: DashboardState, tile: string, adjustment: Adjustment | undefined): DashboardState {
  const without = <T,>(map: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(map).filter(([id]) => id !== tile));
  return {
    ...state,
    selections: without(state.selections),
    tiles: {
      ...without(state.tiles ?? {}),
      ...(adjustment && { [tile]: adjustment as NonNullable<DashboardState['tiles']>[string] }),
    },
  };
}

/** A tile as viewers have it: brushed, clicked, walked by keys. */
function ExploreTile({ id, editor }: { readonly id: string; readonly editor: DashboardEditor }) {
  const { dashboard, live } = useEditor(editor, state => state.shown);
  const { state } = useSettled(live);
  const onSelected = useCallback(() => void live.settle(), [live]);
  const onAdjust = useCallback(
    (one: string, adjustment: Adjustment | undefined) =>
      editor.setState(adjusted(live.state, one, adjustment)),
    [editor, live],
  );
  const onFilters = useCallback(
    (filters: Readonly<Record<string, FieldFilter>>, without: string) =>
      editor.setState({
        ...live.state,
        filters: { ...live.state.filters, ...filters },
        selections: Object.fromEntries(
          Object.entries(live.state.selections).filter(([other]) => other !== without),
        ),
      }),
    [editor, live],
  );
  const onReset = useCallback(() => editor.setState({ page: 0, filters: {}, selections: {} }), [editor]);
  const tile = dashboard.document && tilesOf(dashboard.document, 0)[id];
  if (!tile) return <div className="size-full rounded-tile border border-border bg-surface" />;
  return (
    <TileView
      id={id}
      tile={tile}
      live={live}
      models={dashboard.models}
      dashboardModel={dashboard.document?.model}
      adjustment={state.tiles?.[id]}
      compare={undefined}
      state={tile.kind === 'table' ? state : undefined}
      broken={dashboard.brokenTiles[id]}
      isLarge={false}
      onLarge={nothing}
      onSelected={onSelected}
      onAdjust={onAdjust}
      onFilters={onFilters}
      onGo={nothing}
      onReset={onReset}
      staleness={undefined}
    />
  );
}
