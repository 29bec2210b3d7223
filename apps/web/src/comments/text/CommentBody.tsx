import type { Comment } from '@belvedere/api';
import { useMemo } from 'react';
import { commentHtml } from './comment-html.ts';

/** The text of a comment. */
export function CommentBody({ body, mentions }: Pick<Comment, 'body' | 'mentions'>) {
  const html = useMemo(
    () =>
      commentHtml(
        body,
        mentions.map(({ name }) => name),
      ),
    [body, mentions],
  );
  return (
    <div
      data-comment-body
      className="prose-tile prose-comment text-13 wrap-anywhere text-text"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
