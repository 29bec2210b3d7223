import { z } from 'zod';
import { maxCommentLength, maxCommentState, maxMentions } from '../../constants/comment-limits.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { Box, DashboardState } from '../../address/state.ts';
import { stateBounds } from '../../address/state-bounds.ts';

/** A user, as comments name them. Without a name: the account no longer exists. */
const CommentUser = z.object({ id: z.string(), name: z.string().optional() });

export const Comment = z
  .object({
    id: z.number().int(),
    /** The comment that begins the thread; absent for that comment itself. */
    parent: z.number().int().optional(),
    author: CommentUser,
    /** Markdown; empty once it was deleted. */
    body: z.string(),
    /** The people mentioned in the text as `@Name`, with their names at that time. */
    mentions: z.array(z.object({ id: z.string(), name: z.string() })),
    createdAt: z.string(),
    editedAt: z.string().optional(),
    /** It was deleted, but others have replied. */
    isDeleted: z.boolean(),
    isOwn: z.boolean(),
    /** The ID of the tile that the thread is about, whether the dashboard still has it or not. */
    tile: z.string().optional(),
    /** The marks or ranges that were selected on the tile. */
    anchor: z.array(Box).optional(),
    /** The dashboard's state when the comment was written. */
    state: DashboardState.optional(),
    /** It has an anchor or a state with fields or values that the caller may not see. */
    isWithheld: z.boolean(),
    resolved: z.object({ at: z.string(), by: CommentUser }).optional(),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof Comment>;

/** Why a comment is in someone's inbox. */
const InboxReason = z.enum(['mention', 'reply', 'follow']);

/** The comments on a dashboard that a user is notified of. `involved`: those that mention them, and replies. */
const CommentsNotified = z.enum(['all', 'involved', 'none']);
export type CommentsNotified = z.infer<typeof CommentsNotified>;

export const InboxItem = z
  .object({
    /** The ID of the comment. */
    comment: z.number().int(),
    reason: InboxReason,
    dashboard: z.object({ id: z.string(), title: z.string() }),
    author: CommentUser,
    body: z.string(),
    mentions: z.array(z.object({ id: z.string(), name: z.string() })),
    createdAt: z.string(),
    isRead: z.boolean(),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof InboxItem>;

const isShort = [
  (value: object) => JSON.stringify(value).length <= maxCommentState,
  `at most ${maxCommentState} letters as JSON`,
] as const;
const Body = z.string().trim().min(1).max(maxCommentLength);
const Mentions = z.array(z.string().max(100)).max(maxMentions).default([]);
const NewComment = z.strictObject({
  body: Body,
  /** The IDs of people mentioned in the text as `@Name`. */
  mentions: Mentions,
  /** The thread that it replies to. */
  parent: z.number().int().optional(),
  tile: z.string().max(stateBounds.tileName).optional(),
  /** Only with a tile. */
  anchor: z
    .array(Box)
    .min(1)
    .max(stateBounds.boxes)
    .refine(...isShort)
    .optional(),
  state: DashboardState.refine(...isShort).optional(),
});

const dashboardParams = z.object({ id: z.string().max(300) });
const commentParams = dashboardParams.extend({ comment: z.coerce.number().int() });

/** Endpoints for comments on dashboards, and for the inbox of who is mentioned or replied to. */
export const commentEndpoints = {
  listComments: endpoint({
    ...routes.listComments,
    access: { on: 'dashboard', level: 'view' },
    summary: 'List the comments on a dashboard, oldest first',
    params: dashboardParams,
    response: z.object({
      comments: z.array(Comment),
      /** Whether the caller may write comments, and edit their own. All may delete their own. */
      canWrite: z.boolean(),
      /** Whether the caller may resolve threads. */
      canResolve: z.boolean(),
      /** Whether the caller may delete those of others. */
      canModerate: z.boolean(),
      /** The newest comment that the caller has seen; 0 if none. */
      readTo: z.number().int(),
      /** The comments that the caller is notified of. */
      notified: CommentsNotified,
    }),
  }),
  addComment: endpoint({
    ...routes.addComment,
    access: { on: 'dashboard', level: 'view' },
    summary:
      'Comment on a dashboard, a tile, or marks of a chart, or reply; a reply reopens a resolved thread',
    params: dashboardParams,
    body: NewComment,
    response: Comment,
  }),
  updateComment: endpoint({
    ...routes.updateComment,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Change the text of one’s own comment',
    params: commentParams,
    body: z.strictObject({ body: Body, mentions: Mentions }),
    response: Comment,
  }),
  removeComment: endpoint({
    ...routes.removeComment,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Delete one’s own comment; admins delete any',
    params: commentParams,
    response: z.object({}),
  }),
  resolveComment: endpoint({
    ...routes.resolveComment,
    access: { on: 'dashboard', level: 'explore' },
    summary: 'Resolve a thread, or open it again',
    params: commentParams,
    body: z.strictObject({ isResolved: z.boolean() }),
    response: Comment,
  }),
  markCommentsRead: endpoint({
    ...routes.markCommentsRead,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Record that the caller has seen a dashboard’s comments up to one of them',
    params: dashboardParams,
    body: z.strictObject({ readTo: z.number().int().min(0) }),
    response: z.object({}),
  }),
  followComments: endpoint({
    ...routes.followComments,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Choose the comments on a dashboard that the caller is notified of',
    params: dashboardParams,
    body: z.strictObject({ notified: CommentsNotified }),
    response: z.object({}),
  }),
  findMentionable: endpoint({
    ...routes.findMentionable,
    access: { on: 'dashboard', level: 'view' },
    summary:
      'Find people who may see a dashboard, to mention them in a comment; with the level view only those whom ' +
      'its comments name already',
    params: dashboardParams,
    query: z.object({ search: z.string().trim().max(100).default('') }),
    response: z.object({ people: z.array(z.object({ id: z.string(), name: z.string() })) }),
  }),
  switchViewerComments: endpoint({
    ...routes.switchViewerComments,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Allow everyone who may view a dashboard to comment on it, or no longer',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
  getInbox: endpoint({
    ...routes.getInbox,
    access: { on: 'self' },
    summary:
      'List the comments that mention the caller, reply to their threads, or are on dashboards that they ' +
      'follow, newest first',
    response: z.object({
      items: z.array(InboxItem),
      unread: z.number().int(),
      /** Dashboards for which the caller chose other comments than the default. */
      choices: z.array(
        z.object({
          dashboard: z.object({ id: z.string(), title: z.string() }),
          notified: CommentsNotified,
        }),
      ),
    }),
  }),
  markInboxRead: endpoint({
    ...routes.markInboxRead,
    access: { on: 'self' },
    summary: 'Mark comments in the inbox as read or unread; all of them without a list',
    body: z.strictObject({
      comments: z.array(z.number().int()).max(1000).optional(),
      isRead: z.boolean(),
    }),
    response: z.object({}),
  }),
  getMailChoice: endpoint({
    ...routes.getMailChoice,
    access: { on: 'self' },
    summary: 'Get whether the user gets mail about unread mentions and replies',
    response: z.object({
      /** Whether the server sends mail at all. */
      hasMail: z.boolean(),
      isOn: z.boolean(),
    }),
  }),
  putMailChoice: endpoint({
    ...routes.putMailChoice,
    access: { on: 'self' },
    summary: 'Switch mail about unread mentions and replies on or off',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
} as const;
