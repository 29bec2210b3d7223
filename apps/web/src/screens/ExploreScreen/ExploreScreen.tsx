import { writeEntries, type Tile } from '@belvedere/document';
import type { Search } from '@belvedere/api';
import type { FieldFacts, FieldFilter } from '@belvedere/query';
import { useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { FilterBar } from '../../dashboard/filters/FilterBar.tsx';
import type { ResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { connection } from '../../data/connection/connection.ts';
import { client } from '../../data/server.ts';
import type { Backup } from '../../editor/state/document-editor.ts';
import { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { EditedCalendar } from '../../editor/canvas/EditedCalendar.tsx';
import { DropZones } from '../../editor/canvas/DropZones.tsx';
import { EditingContext, useEditor, type Dragged, type Editing } from '../../editor/state/editing.ts';
import {
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
import { useIsCurrentPage } from '../../shell/use-is-current-page.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { chartWith, firstChart, withFilters } from './explore-chart.ts';
import { chartId, exploreDocument, findColumns, rowsId } from './explore-document.ts';
import { exploredFromSearch } from './explore-url.ts';
import { SaveToDialog } from './SaveToDialog.tsx';
import { ExploreFields } from './ExploreFields.tsx';
import { ExploreHeader } from './ExploreHeader.tsx';
import { ExploreTile } from './ExploreTile.tsx';
import { useExploredAddress } from './use-explored-address.ts';

const chartPath = ['pages', 0, 'tiles', chartId] as const;
/** The URL holds the state of Explore. */
const noBackup: Backup = { read: () => undefined, write: () => {}, drop: () => {} };

/** Explores a model: its columns, a chart of them, and the rows. A selection in one filters the others. */
export function ExploreScreen() {
  const { model } = useParams({ from: '/explore/$model' });
  const models = useModels();
  const profiles = useFieldProfiles(models, model);
  const { error } = useModelProfile(model);
  const entry = useHistoryEntry();
  if (error) return <ErrorScreen error={error} />;
  return profiles?.profile ? (
    <BeginExploring key={`${model} ${entry}`} profiles={profiles} models={models} entry={entry} />
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
  profiles,
  models,
  entry,
}: {
  readonly profiles: FieldProfiles;
  readonly models: Editing['models'];
  readonly entry: number | undefined;
}) {
  // The initial profiles are kept: later ones must not change the user's chart.
  const [first] = useState(profiles);
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
      <Explore editor={opened.editor} profiles={profiles} models={models} requested={requested} />
    </EditedCalendar>
  ) : (
    <Waiting />
  );
}

function Explore({
  editor,
  profiles,
  models,
  requested,
}: {
  readonly editor: DashboardEditor;
  readonly profiles: FieldProfiles;
  readonly models: Editing['models'];
  readonly requested: ReturnType<typeof exploredFromSearch>;
}) {
  const model = models.find(({ name }) => name === profiles.name);
  const [dragged, setDragged] = useState<Dragged>();
  const editing = useMemo(
    (): Editing => ({ editor, models, profiles, dragged, setDragged }),
    [editor, models, profiles, dragged],
  );
  const document = useEditor(editor, state => state.document);
  const shown = useEditor(editor, state => state.shown);
  useLoadUnreached(shown.live);
  const { state, applied, dataTime } = useSettled(shown.live);
  const [search, setSearch] = useState(requested.find);
  const [isSaving, setIsSaving] = useState(false);
  const chart = tilesOf(document, 0)[chartId]!;
  const columns = findColumns(profiles, search, state);
  useExploredAddress({ chart, profiles, search, state });
  const isSelected = Object.values(state.selections).some(boxes => boxes.length > 0);
  // The shown columns follow from the search and the selections, and are not undone with the chart.
  const shownColumns = columns.shown.map(({ tile }) => tile).join();
  const showColumns = useEffectEvent(() =>
    editor.amend([{ kind: 'set', path: [], value: exploreDocument(profiles, columns.shown, chart) }]),
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
    const made = chartWith(chart, field, profiles);
    if (made) setChart(made, words.steps.field);
  };
  return (
    <EditingContext value={editing}>
      <ExploreHeader
        editor={editor}
        model={model}
        label={profiles.label}
        onClear={isSelected ? () => editor.setState({ ...state, selections: {} }) : undefined}
        onSave={() => setIsSaving(true)}
      />
      {isSaving ? (
        <SaveToDialog
          tile={withFilters(chart, state)}
          profiles={profiles}
          onClose={() => setIsSaving(false)}
        />
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
        <ExploreFields
          editor={editor}
          profiles={profiles}
          model={model}
          columns={columns}
          search={search}
          onSearch={setSearch}
          onPut={put}
        />
        <div className="flex min-w-0 flex-1 flex-col gap-3 max-lg:contents">
          <section
            aria-label={words.tile.data}
            className="rounded-tile border border-border bg-surface p-3 max-lg:order-2"
          >
            <ChartKinds
              tile={chart}
              profiles={profiles}
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
                  profiles={profiles}
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

const nothing = () => {};
