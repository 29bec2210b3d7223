import type { OpenDashboard } from '@belvedere/api';
import { writeEntries, type Tile } from '@belvedere/document';
import { Modal } from '@belvedere/ui';
import { useEffect, useState } from 'react';
import { seenBy, tileSeenBy } from '../../dashboard/seen.ts';
import { TileView } from '../../dashboard/TileView.tsx';
import { problemText } from '../../data/problem-text.ts';
import { client, connection } from '../../data/server.ts';
import { DashboardLive } from '../../live/dashboard-live.ts';
import { useEditing } from '../editing.ts';
import type { ModelFacts } from '../facts.ts';
import { words } from '../messages/words.ts';

interface KindPreviewsProps {
  readonly tile: Tile;
  readonly facts: ModelFacts;
  /** The tile as each kind it can be. */
  readonly candidates: readonly Tile[];
  readonly onChoose: (tile: Tile) => void;
  readonly onClose: () => void;
}

interface Shown {
  readonly dashboard: OpenDashboard;
  readonly live: DashboardLive;
}

const nothing = () => {};

/** A tile as everything it could be, each drawn with its own data under the filters that are set. */
export default function KindPreviews({ tile, facts, candidates, onChoose, onClose }: KindPreviewsProps) {
  const { editor, models } = useEditing();
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<string>();
  const [begun] = useState(() => {
    const { document, shown: { dashboard, live: { state } } } = editor.state;
    const filters = seenBy(dashboard, state).document?.filters;
    // A page of its own, on which nothing is selected and everything is shown.
    const tiles = Object.fromEntries(candidates.map(candidate => {
      const { showIf: _, listens: __, opens: ___, at: ____, ...rest } = tileSeenBy(document, candidate, models, state);
      return [candidate.kind, rest];
    }));
    return { id: `explore:${facts.name}:${connection.window}`, state: { page: 0, filters: state.filters, selections: {} }, text: writeEntries({ version: 1, title: words.tile.previewsTitle, model: facts.name, ...(filters && { filters }), pages: [{ title: words.tile.previewsTitle, tiles }] }) };
  });
  useEffect(() => {
    let live: DashboardLive | undefined;
    let isGone = false;
    const draw = async () => {
      await client.dropDraft({ params: { id: begun.id } });
      const { dashboard } = await client.putDraft({ params: { id: begun.id }, body: { text: begun.text, base: '', after: 0 } });
      if (isGone) return;
      live = new DashboardLive(client, dashboard, begun.state);
      setShown({ dashboard, live });
      await live.load();
    };
    void draw().catch((problem: unknown) => setError(problemText(problem)));
    return () => {
      isGone = true;
      live?.close();
      void client.dropDraft({ params: { id: begun.id } }).catch(nothing);
    };
  }, [begun]);
  // What its data does not bear, as parts of a whole of averages, is not offered.
  const possible = candidates.filter(({ kind }) => shown?.dashboard.brokenTiles[kind] === undefined);
  return (
    <Modal label={words.tile.previewsTitle} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-5xl">
      <div className="flex max-h-[85vh] flex-col gap-3 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold">{words.tile.previewsTitle}</h2>
        {error ? <p role="alert" className="text-bad">{error}</p> : null}
        <div role="group" aria-label={words.tile.previewsTitle} className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3">
          {possible.map(candidate => (
            <div key={candidate.kind} data-kind={candidate.kind} className={`relative flex h-52 flex-col overflow-hidden rounded-tile border ${candidate.kind === tile.kind ? 'border-accent ring-1 ring-accent' : 'border-border'}`}>
              <div inert className="min-h-0 flex-1">{shown ? <Preview shown={shown} kind={candidate.kind} /> : null}</div>
              <button type="button" aria-pressed={candidate.kind === tile.kind} onClick={() => onChoose(candidate)} className="absolute inset-0 flex items-end rounded-tile outline-offset-[-2px] hover:bg-accent/5">
                <span className="w-full border-t border-border bg-surface px-2.5 py-1 text-start text-12 text-text-2">{words.kinds[candidate.kind]}</span>
              </button>
            </div>
          ))}
        </div>
      </div>
    </Modal>
  );
}

function Preview({ shown: { dashboard, live }, kind }: { readonly shown: Shown; readonly kind: Tile['kind'] }) {
  const tile = dashboard.document?.pages[0]?.tiles[kind] as Tile | undefined;
  if (!tile) return null;
  return (
    <div className="h-[calc(100%-26px)]">
      <TileView
        id={kind} tile={tile} live={live} models={dashboard.models} dashboardModel={dashboard.document?.model} adjustment={undefined} compare={undefined} state={kind === 'table' ? live.state : undefined}
        broken={dashboard.brokenTiles[kind]} isLarge={false} isOffline onLarge={nothing} onSelected={nothing} onAdjust={nothing} onFilters={nothing} onGo={nothing} boundBy="" onReset={nothing} staleness={undefined}
      />
    </div>
  );
}
