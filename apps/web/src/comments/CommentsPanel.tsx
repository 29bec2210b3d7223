import { maxCommentState, type Comment, type DashboardState, type OpenDashboard } from '@belvedere/api';
import { Button, IconButton, RemovableChip, Tabs } from '@belvedere/ui';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../data/server.ts';
import { CommentField } from './text/CommentField.tsx';
import { refreshComments, useComments } from './comment-data.ts';
import { anchorText, tilePlace } from './threads/describe-anchor.ts';
import { words } from './messages/words.ts';
import { isThreadOn, threadsOf } from './threads/threads.ts';
import { ThreadView } from './threads/ThreadView.tsx';
import type { CommentPanel } from './use-comment-panel.ts';
import { useIsVisible } from './use-is-visible.ts';
import { useRoomBeside } from './use-room-beside.ts';

interface CommentsPanelProps {
  readonly dashboard: OpenDashboard;
  readonly panel: CommentPanel;
  /** The dashboard's, at the end of the last gesture. */
  readonly state: DashboardState;
  readonly stateNow: () => DashboardState;
  readonly onState: (state: DashboardState) => void;
  readonly onTile: (tile: string, page: number) => void;
}

/** Texts take time to be turned into elements, and a dashboard may have thousands. */
const threadsAtOnce = 30;

/** The comments on a dashboard, beside it: open and resolved threads, and a field for a new one. */
export function CommentsPanel({ dashboard, panel, state, stateNow, onState, onTile }: CommentsPanelProps) {
  useRoomBeside();
  const { data } = useComments(dashboard.id);
  const { shown, target, only } = panel;
  const all = threadsOf(data?.comments ?? []);
  // New comments stay marked while the panel is open, although they count as read from now on.
  const [readTo] = useState(data?.readTo ?? 0);
  const newest = data?.comments.at(-1)?.id ?? 0;
  const isVisible = useIsVisible();
  const isBehind = isVisible && data !== undefined && data.readTo < newest;
  useEffect(() => {
    if (!isBehind) return;
    void client
      .markCommentsRead({ params: { id: dashboard.id }, body: { readTo: newest } })
      .then(() => refreshComments(dashboard.id))
      .catch(() => {});
  }, [isBehind, newest, dashboard.id]);
  const isShownResolved = all.some(({ root, replies }) => root.resolved && holds(root.id, replies, shown));
  const [tab, setTab] = useState(isShownResolved ? 1 : 0);
  const ofTile = only === undefined ? all : all.filter(({ root }) => isThreadOn(root, only));
  const open = ofTile.filter(({ root }) => !root.resolved);
  const resolved = ofTile.filter(({ root }) => root.resolved);
  const listed = tab === 0 ? open : resolved;
  const [limit, setLimit] = useState(threadsAtOnce);
  const shownAt = listed.findIndex(({ root, replies }) => holds(root.id, replies, shown));
  const hidden = Math.max(0, listed.length - Math.max(limit, shownAt + 1));
  const titleOf = (tile: string) => tilePlace(dashboard, tile)?.title ?? tile;

  const add = async (body: string, mentions: string[]) => {
    const state = stateNow();
    const { tile, boxes = [] } = target ?? {};
    const isShort = (value: object) => JSON.stringify(value).length <= maxCommentState;
    await client.addComment({
      params: { id: dashboard.id },
      body: {
        body,
        mentions,
        ...(tile !== undefined && { tile }),
        ...(tile !== undefined &&
          boxes.length > 0 &&
          isShort(boxes) && { anchor: boxes as NonNullable<Comment['anchor']> }),
        ...(isShort(state) && { state }),
      },
    });
    panel.onDraft('');
    panel.clearTarget();
    setTab(0);
    await refreshComments(dashboard.id);
  };
  return (
    <aside
      aria-label={words.title}
      className="no-print fixed inset-y-0 end-0 top-12 z-[35] flex w-full flex-col border-s border-border bg-surface sm:w-[360px]"
    >
      <header className="flex h-11 shrink-0 items-center gap-2 ps-4 pe-2">
        <h2 className="min-w-0 flex-1 truncate text-14 font-semibold">{words.title}</h2>
        <IconButton label={words.close} onPress={panel.toggle}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <div className="shrink-0 border-b border-border px-4">
        <Tabs
          label={words.which}
          titles={[words.open(open.length), words.resolved(resolved.length)]}
          selected={tab}
          onSelect={setTab}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        {only === undefined ? null : (
          <div className="px-4 pt-2.5">
            <RemovableChip
              label={words.onlyOn(
                [
                  titleOf(only.tile),
                  ...(only.row ? [anchorText(dashboard, only.tile, [only.row])] : []),
                ].join(' · '),
              )}
              removeLabel={words.showAll}
              onRemove={() => panel.showTile(undefined)}
            />
          </div>
        )}
        {listed.length === 0 ? (
          <p className="px-4 py-4 text-13 text-text-2">{tab === 0 ? words.empty : words.emptyResolved}</p>
        ) : (
          <ul>
            {listed.slice(0, listed.length - hidden).map(thread => (
              <ThreadView
                key={thread.root.id}
                dashboard={dashboard}
                thread={thread}
                state={state}
                soughtRow={panel.shownRow}
                shown={holds(thread.root.id, thread.replies, shown) ? shown : undefined}
                readTo={readTo}
                canWrite={data?.canWrite ?? false}
                canResolve={data?.canResolve ?? false}
                canModerate={data?.canModerate ?? false}
                onTile={(tile, at) => {
                  onTile(tile, at);
                  panel.uncover();
                }}
                onRow={panel.showRow}
                onState={onState}
              />
            ))}
          </ul>
        )}
        {hidden > 0 ? (
          <div className="px-4 py-2">
            <Button look="quiet" onPress={() => setLimit(limit + threadsAtOnce)}>
              {words.showOlder(hidden)}
            </Button>
          </div>
        ) : null}
      </div>
      <footer className="shrink-0 border-t border-border px-4 py-3">
        {data?.canWrite ? (
          <>
            {target ? (
              <div className="pb-2">
                <RemovableChip
                  label={[
                    words.about(titleOf(target.tile)),
                    ...(target.boxes.length > 0 ? [anchorText(dashboard, target.tile, target.boxes)] : []),
                  ].join(' · ')}
                  removeLabel={words.notAbout}
                  onRemove={panel.clearTarget}
                />
              </div>
            ) : null}
            <CommentField
              dashboard={dashboard.id}
              label={words.write}
              submitLabel={words.submit}
              text={panel.draft}
              onText={panel.onDraft}
              focusOn={target}
              isListAbove
              onSubmit={add}
            />
          </>
        ) : (
          <p className="text-12 text-text-2">{words.viewersRead}</p>
        )}
      </footer>
    </aside>
  );
}

const holds = (root: number, replies: readonly { readonly id: number }[], id: number | undefined) =>
  id !== undefined && (root === id || replies.some(reply => reply.id === id));
