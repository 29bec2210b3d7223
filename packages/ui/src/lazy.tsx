import {
  Component,
  createElement,
  lazy,
  Suspense,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react';

/**
 * A chunk of the application could not be loaded: the server does not respond, or has other files after an
 * update.
 */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  /**
   * Whether the chunk was not requested because the server does not respond. It loads once the server is
   * back.
   */
  readonly isWaiting: boolean;

  constructor(isWaiting: boolean, options?: ErrorOptions) {
    super(isWaiting ? 'Nobody answers.' : 'A part of the page could not be fetched.', options);
    this.isWaiting = isWaiting;
  }
}

let isReachable = () => true;

/**
 * Sets the function that tells whether the server responds. Browsers remember failed module requests until
 * the page reloads, so requests that would fail are better not sent.
 */
export function retryChunksWhile(isServerUp: () => boolean): void {
  isReachable = isServerUp;
}

export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  /** Loads the code before it is shown. An error is reported when the component is shown. */
  readonly ahead: () => void;
};

/**
 * A component whose code loads when it is first shown. On failure it throws `ChunkLoadError`, and loads again
 * the next time it is shown. React's own `lazy` fails permanently.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  const part = () =>
    lazy(async () => {
      // Code that has arrived needs no server.
      const isWaiting = !loaded && !isReachable();
      try {
        if (isWaiting) throw new Error('not reachable');
        return { default: await loadOnce() };
      } catch (cause) {
        shown = part();
        throw new ChunkLoadError(isWaiting, { cause });
      }
    });
  let shown = part();
  const Part = (props: Props) => createElement(shown as ComponentType<Props>, props);
  return Object.assign(Part, { ahead: () => void (isReachable() && loadOnce().catch(() => {})) });
}

/** The page's chunks that failed to load, for reporting them and for retrying once the server responds. */
class MissingChunks {
  #isLacking = false;
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  isLacking = () => this.#isLacking;

  /** @param error an error that only waits is not reported */
  lack(tryAgain: () => void, { isWaiting }: ChunkLoadError): void {
    this.#waiting.add(tryAgain);
    if (!isWaiting) this.#set(true);
  }

  isGone(tryAgain: () => void): void {
    this.#waiting.delete(tryAgain);
  }

  tryAgain = () => {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#set(false);
    for (const tryAgain of waiting) tryAgain();
  };

  #set(isLacking: boolean): void {
    if (isLacking === this.#isLacking) return;
    this.#isLacking = isLacking;
    for (const listener of this.#listeners) listener();
  }
}

export const missingChunks = new MissingChunks();

interface ComingProps {
  /** Shown until the component has loaded. */
  readonly fallback: ReactNode;
  /** Shown if loading fails; defaults to `fallback`. */
  readonly failed?: (isWaiting: boolean) => ReactNode;
  readonly onLacking?: () => void;
  readonly children: ReactNode;
}

/**
 * An error boundary for `lazyComponent`: if loading fails, the rest of the page stays, `missingChunks`
 * records it, and the component appears once it loads.
 */
export class LazyBoundary extends Component<ComingProps, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof ChunkLoadError)) return;
    missingChunks.lack(this.#tryAgain, error);
    this.props.onLacking?.();
  }

  override componentWillUnmount(): void {
    missingChunks.isGone(this.#tryAgain);
  }

  override render(): ReactNode {
    const { error } = this.state as { readonly error: unknown };
    const { fallback, failed: lacking, children } = this.props;
    if (error === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!(error instanceof ChunkLoadError)) throw error;
    return lacking ? lacking(error.isWaiting) : fallback;
  }

  readonly #tryAgain = () => this.setState({ error: undefined });
}
