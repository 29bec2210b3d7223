import {
  Component,
  createElement,
  lazy,
  Suspense,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react';

/** A part of the program could not be had: its server does not answer, or has other files by now. */
export class ChunkLoadError extends Error {
  override readonly name = 'NotFetchedError';
  /** It was not asked for, since nobody would have answered: it comes when somebody does. */
  readonly isWaiting: boolean;

  constructor(isWaiting: boolean, options?: ErrorOptions) {
    super(isWaiting ? 'Nobody answers.' : 'A part of the page could not be fetched.', options);
    this.isWaiting = isWaiting;
  }
}

let isReachable = () => true;

/** Says how it is known whether the server answers. A browser keeps in mind that a module could not be fetched, until the page is loaded anew: what would fail is better not asked for. */
export function retryChunksWhile(answers: () => boolean): void {
  isReachable = answers;
}

export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  /** Fetches it before it is shown, when somebody comes near; what fails then is told when it is. */
  readonly ahead: () => void;
};

/** A component whose code is fetched when it is first shown. Where it cannot be, it throws `ChunkLoadError`, and the next time it is shown it is fetched anew: React's own `lazy` fails for good. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const part = () =>
    lazy(async () => {
      const isWaiting = !isReachable();
      try {
        if (isWaiting) throw new Error('not reachable');
        return { default: await load() };
      } catch (cause) {
        shown = part();
        throw new ChunkLoadError(isWaiting, { cause });
      }
    });
  let shown = part();
  const Part = (props: Props) => createElement(shown as ComponentType<Props>, props);
  return Object.assign(Part, { ahead: () => void (isReachable() && load().catch(() => {})) });
}

/** What was asked for on this page and could not be fetched, for whoever tells of it and has it fetched once somebody answers again. */
class MissingChunks {
  #isLacking = false;
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  isLacking = () => this.#isLacking;

  /** @param error where it only waits there is nothing to tell */
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
  /** What stands there until it has come. */
  readonly fallback: ReactNode;
  /** What stands there when it cannot be had; else `fallback` stays. */
  readonly lacking?: (isWaiting: boolean) => ReactNode;
  readonly onLacking?: () => void;
  readonly children: ReactNode;
}

/** Around what is `lazyComponent`: where it cannot be had, all else stays as it is, `missingChunks` knows, and it comes once it can be. */
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
    const { fallback, lacking, children } = this.props;
    if (error === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!(error instanceof ChunkLoadError)) throw error;
    return lacking ? lacking(error.isWaiting) : fallback;
  }

  readonly #tryAgain = () => this.setState({ error: undefined });
}
