import { LazyBoundary } from '@belvedere/ui';
import { Component, type ReactNode } from 'react';
import { t } from '../../messages/messages.ts';
import { TileMessage, TileSkeleton } from './TileStates.tsx';

/** A tile that fails to draw does not take its page with it. */
export class TileBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? (
      <TileMessage
        title={t.tile.failed}
        text={t.errors.brokenText}
        action={t.tile.retry}
        onAction={() => this.setState({ failed: false })}
      />
    ) : (
      this.props.children
    );
  }
}

/** Content that is loaded only for the tiles that have it. */
export function LazyPart({ children }: { readonly children: ReactNode }) {
  const lacking = (isWaiting: boolean) =>
    isWaiting ? (
      <TileMessage title={t.tile.failed} text={t.errors.unreachable} />
    ) : (
      <TileMessage
        title={t.tile.failed}
        text={t.connection.partFailed}
        action={t.errors.reload}
        onAction={() => location.reload()}
      />
    );
  return (
    <LazyBoundary fallback={<TileSkeleton kind="table" />} failed={lacking}>
      {children}
    </LazyBoundary>
  );
}
