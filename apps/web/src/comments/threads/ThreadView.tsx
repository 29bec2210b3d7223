import {
  ApiError,
  searchFromState,
  type Comment,
  type DashboardState,
  type OpenDashboard,
} from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { Button } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CornerUpLeft, History, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../data/server.ts';
import { authorName, CommentItem } from './CommentItem.tsx';
import { CommentField } from '../text/CommentField.tsx';
import { refreshComments } from '../comment-data.ts';
import { anchorText, isAnchorGone, tilePlace } from './describe-anchor.ts';
import { words } from '../messages/words.ts';
import { isUnread, type Thread } from './threads.ts';
import type { CommentPanel } from '../use-comment-panel.ts';
import { useAttempt } from '../use-attempt.ts';

interface ThreadViewProps {
  readonly dashboard: OpenDashboard;
  readonly thread: Thread;
  /** The dashboard's current state. */
  readonly state: DashboardState;
  /** The row whose thread is shown. */
  readonly soughtRow: CommentPanel['shownRow'];
  /** The comment of this thread that the address names. */
  readonly shown: number | undefined;
  readonly readTo: number;
  readonly canWrite: boolean;
  readonly canResolve: boolean;
  readonly canModerate: boolean;
  readonly onTile: (tile: string, page: number) => void;
  /** Shows a row in its table. */
  readonly onRow: (tile: string, row: Box) => void;
  readonly onState: (state: DashboardState) => void;
}

const repliesAtOnce = 20;

/** As quiet buttons look. */
const linkLook =
  'inline-flex h-[30px] items-center gap-1.5 rounded-control px-2.5 text-13 text-text-2 ' +
  'hover:bg-hover hover:text-text pointer-coarse:h-11';

/** A thread: its subject, its comments, and actions to reply and to resolve it. */
export function ThreadView({
  dashboard,
  thread: { root, replies },
  shown,
  readTo,
  canWrite,
  canResolve,
  canModerate,
  ...place
}: ThreadViewProps) {
  const [reply, setReply] = useState<string>();
  const [areAllListed, setAreAllListed] = useState(false);
  const isShown = shown !== undefined;
  const earlier = replies.slice(0, -repliesAtOnce);
  const hidden = areAllListed || earlier.some(({ id }) => id === shown) ? 0 : earlier.length;
  const item = useRef<HTMLLIElement>(null);
  const { attempt, problem } = useAttempt(() => refreshComments(dashboard.id));
  useEffect(() => {
    if (isShown) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const itemOf = (comment: Comment) => (
    <CommentItem
      key={comment.id}
      dashboard={dashboard.id}
      comment={comment}
      isUnread={isUnread(comment, readTo)}
      canWrite={canWrite}
      canModerate={canModerate}
    />
  );
  return (
    <li
      ref={item}
      data-thread={root.id}
      className={`border-b border-border px-4 py-2.5 last:border-0 ${isShown ? 'bg-accent-weak/50' : ''}`}
    >
      <Anchor dashboard={dashboard} root={root} {...place} />
      {itemOf(root)}
      {replies.length > 0 ? (
        <div className="ms-3 border-s border-border ps-3">
          {hidden > 0 ? (
            <Button look="quiet" onPress={() => setAreAllListed(true)}>
              {words.showOlder(hidden)}
            </Button>
          ) : null}
          {replies.slice(hidden).map(itemOf)}
        </div>
      ) : null}
      {root.resolved ? (
        <p className="ps-8 pt-1 text-12 text-text-2">
          {words.resolvedBy(root.resolved.by.name ?? words.former)}
        </p>
      ) : null}
      {problem === undefined ? null : (
        <p role="alert" className="text-12 text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-1 ps-6 pt-1">
        {canWrite && reply === undefined ? (
          <Button look="quiet" onPress={() => setReply('')}>
            <CornerUpLeft size={14} aria-hidden />
            {words.reply}
          </Button>
        ) : null}
        {canResolve && !root.isDeleted ? (
          <Button
            look="quiet"
            onPress={() =>
              void attempt(() =>
                client.resolveComment({
                  params: { id: dashboard.id, comment: root.id },
                  body: { isResolved: !root.resolved },
                }),
              )
            }
          >
            {root.resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
            {root.resolved ? words.reopen : words.resolve}
          </Button>
        ) : null}
        {root.state ? (
          <Link
            to="/d/$dashboard"
            params={{ dashboard: dashboard.id }}
            search={{ ...searchFromState(root.state), comment: String(root.id) }}
            className={linkLook}
          >
            <History size={14} aria-hidden />
            {words.asItWas}
          </Link>
        ) : null}
      </div>
      {reply === undefined ? null : (
        <div className="ps-8 pt-1.5">
          <CommentField
            dashboard={dashboard.id}
            label={words.replyTo(authorName(root))}
            submitLabel={words.reply}
            text={reply}
            onText={setReply}
            focusOn={root.id}
            onSubmit={async (body, mentions) => {
              await client.addComment({
                params: { id: dashboard.id },
                body: { body, mentions, parent: root.id },
              });
              await refreshComments(dashboard.id);
              setReply(undefined);
            }}
            onCancel={() => setReply(undefined)}
          />
        </div>
      )}
    </li>
  );
}

/** The subject of a thread, or that it no longer exists. */
function Anchor({
  dashboard,
  root,
  state,
  soughtRow,
  onTile,
  onRow,
  onState,
}: Pick<ThreadViewProps, 'dashboard' | 'state' | 'soughtRow' | 'onTile' | 'onRow' | 'onState'> & {
  readonly root: Comment;
}) {
  const { tile, anchor } = root;
  const place = tile === undefined ? undefined : tilePlace(dashboard, tile);
  if (tile !== undefined && !place) return <p className="pb-1 text-12 text-warn">{words.tileGone}</p>;
  const isGone = isAnchorGone(dashboard, root);
  const row = place?.isTable && anchor ? anchor[0] : undefined;
  return (
    <>
      {place && tile !== undefined ? (
        <button
          type="button"
          onClick={() => {
            onTile(tile, place.page);
            if (row) onRow(tile, row);
          }}
          className="block max-w-full truncate pb-1 text-start text-12 text-accent-text hover:underline pointer-coarse:py-2"
        >
          {place.page === state.page ? place.title : words.onPage(place.title, place.pageTitle)}
          {anchor && !isGone ? ` · ${anchorText(dashboard, tile, anchor)}` : ''}
        </button>
      ) : null}
      {row && place && tile !== undefined && !isGone ? (
        <RowState
          dashboard={dashboard}
          tile={tile}
          row={row}
          state={{ ...state, page: place.page }}
          isSought={soughtRow?.tile === tile && JSON.stringify(soughtRow.row) === JSON.stringify(row)}
          onState={next => {
            // The address no longer names the comment then.
            onRow(tile, row);
            onState(next);
          }}
        />
      ) : null}
      {isGone ? <p className="pb-1 text-12 text-warn">{words.dataGone}</p> : null}
      {root.isWithheld ? <p className="pb-1 text-12 text-text-3">{words.withheld}</p> : null}
    </>
  );
}

interface RowStateProps {
  readonly dashboard: OpenDashboard;
  readonly tile: string;
  readonly row: Box;
  readonly state: DashboardState;
  /** Whether the table shows this row before its others. */
  readonly isSought: boolean;
  readonly onState: (state: DashboardState) => void;
}

/** Says that the row of a thread no longer exists, or that the filters hide it. */
function RowState({ dashboard, tile, row, state, isSought, onState }: RowStateProps) {
  const cleared = (dashboard.document?.filters ?? []).map(({ field }) => [field, null]);
  const filters = Object.fromEntries(cleared) as DashboardState['filters'];
  const whole = useRow(dashboard.id, tile, row, { page: state.page, filters, selections: {} });
  const current = useRow(dashboard.id, tile, row, state, isSought);
  const hasLostColumn = whole.error instanceof ApiError && whole.error.problem.type === 'field-unknown';
  if (whole.data?.total === 0 || hasLostColumn)
    return <p className="pb-1 text-12 text-warn">{words.rowGone}</p>;
  if (!isSought || current.data?.total !== 0) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 pb-1 text-12 text-warn">
      {words.rowFiltered}
      <Button look="quiet" onPress={() => onState({ ...state, filters, selections: {} })}>
        {words.clearFilters}
      </Button>
    </p>
  );
}

/** A row of a table, if the table has it in a state. */
const useRow = (id: string, tile: string, row: Box, state: DashboardState, isWanted = true) =>
  useQuery({
    queryKey: ['workspace', 'rows', id, tile, state, row],
    queryFn: ({ signal }) =>
      client.getTileRows({ params: { id, tile }, body: { state, row, limit: 1 } }, { signal }),
    enabled: isWanted,
    refetchOnMount: 'always',
  });
