import { Button, LazyBoundary } from '@belvedere/ui';
import { MessageSquare } from 'lucide-react';
import type { ComponentProps } from 'react';
import { t } from '../messages/messages.ts';
import { lazyWithCommentWords } from './messages/words.ts';
import type { CommentPanel } from './use-comment-panel.ts';

const CommentsPanel = lazyWithCommentWords(() =>
  import('./CommentsPanel.tsx').then(module => module.CommentsPanel),
);

/** Opens and closes the comments, with the number of unread ones. */
export function CommentsButton({ panel }: { readonly panel: CommentPanel }) {
  if (!panel.isOffered) return null;
  return (
    <Button
      look="quiet"
      aria-label={t.comments.button(panel.unread)}
      aria-expanded={panel.isOpen}
      onPress={panel.toggle}
      onHoverStart={CommentsPanel.ahead}
      className={`justify-center px-1.5! pointer-coarse:min-w-11 ${panel.isOpen ? 'bg-hover text-text' : ''}`}
    >
      <MessageSquare size={15} aria-hidden />
      {panel.unread > 0 ? <Count count={panel.unread} /> : null}
    </Button>
  );
}

/** A number of unread things. */
export function Count({ count }: { readonly count: number }) {
  return (
    <span
      aria-hidden
      className="tabular rounded-full bg-accent px-1.5 text-11 leading-[16px] font-medium text-on-accent"
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}

/** The panel, once it is open. */
export function LazyCommentsPanel(props: ComponentProps<typeof CommentsPanel>) {
  return props.panel.isOpen ? (
    <LazyBoundary fallback={null}>
      <CommentsPanel {...props} />
    </LazyBoundary>
  ) : null;
}
