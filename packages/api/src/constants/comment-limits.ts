/*
 * Limits of comments. These values are used by pages too, so no schema stands here.
 */

/** Letters of one comment. */
export const maxCommentLength = 4000;
/** Comments on one dashboard, replies included. */
export const maxComments = 2000;
/** People mentioned in one comment. */
export const maxMentions = 50;
/** Letters of the JSON of a comment's state, and of its anchor. A longer one is not kept with the comment. */
export const maxCommentState = 8000;
