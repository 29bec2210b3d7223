import {
  ApiError,
  createClient,
  embedAddress,
  searchFromState,
  stateFromSearch,
  type DashboardState,
} from '@belvedere/api';
import { hostMessage, sent, type FrameMessage, type HostMessage } from '@belvedere/embed';
import { chooseTheme } from '../dashboard/chart/use-theme.ts';
import { enterAsGuest, renewGuestsBy } from '../data/session/guest.ts';
import { overOneConnection } from '../data/connection/one-connection.ts';
import { offerLocks } from '../data/connection/one-at-a-time.ts';
import { problemText } from '../data/problem-text.ts';
import { Watched } from '../data/watched.ts';
import { HostLocks } from './host-locks.ts';

/** How long a site may take to give a token. */
const patienceMs = 10_000;
/** A token is renewed this long before it ends, or after two thirds of its life. */
const aheadMs = 60_000;

/** A guest may exchange no token: they are exchanged without credentials. */
const exchanges = createClient(
  '',
  overOneConnection((input, init) => fetch(input, { ...init, credentials: 'omit' })),
);

type Step = { readonly name: 'opening' | 'open' } | { readonly name: 'refused'; readonly detail: string };

/**
 * The frame's side of embedding: gets tokens from the site around it, exchanges them for a guest's access, and
 * renews that before it ends. It listens to no other window, and once the server has accepted a site, to no
 * other site.
 */
class EmbedSession {
  readonly step = new Watched<Step>({ name: 'opening' });
  /** The filters that the site wants, until they are set. */
  readonly filters = new Watched<DashboardState['filters'] | undefined>(undefined);
  readonly address = embedAddress(location.pathname);
  /** The site that the server has accepted. */
  #origin: string | undefined;
  #locale: string | undefined;
  readonly #locks = new HostLocks(message => this.tell(message));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewing: Promise<boolean> | undefined;
  /** Resolves the renewal that is under way. */
  #settle: (isRenewed: boolean) => void = () => {};

  /** @returns the locale that the token has chosen, once it was exchanged or refused */
  async start(): Promise<string | undefined> {
    window.addEventListener('message', event => this.#onMessage(event));
    renewGuestsBy(() => this.#renew());
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given !== null) {
      // A token is no part of an address that is passed on.
      history.replaceState(history.state, '', location.pathname + location.search);
      await this.#exchange(given, originAround());
    } else if (window.parent === window) this.#refuse('not-framed', 'This page is for frames.');
    else await this.retry();
    return this.#locale;
  }

  /** Asks the site for a token, and says if there is none. */
  async retry(): Promise<void> {
    if (!(await this.#renew()) && this.step.get().name === 'opening')
      this.#refuse('no-token', 'The site has given no token.');
  }

  /** Tells the site, once the server has accepted it. */
  tell(message: FrameMessage): void {
    if (this.#origin !== undefined) window.parent.postMessage(sent(message), this.#origin);
  }

  /** Asks the site for another token. @returns whether the server has accepted one */
  #renew(): Promise<boolean> {
    this.#renewing ??= new Promise<boolean>(resolve => {
      this.#settle = resolve;
      setTimeout(() => resolve(false), patienceMs);
      // It says nothing, and whichever site is around may have it.
      window.parent.postMessage(sent({ kind: 'token-needed' }), '*');
    }).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #onMessage(event: MessageEvent<unknown>): void {
    if (event.source !== window.parent || event.source === window) return;
    if (this.#origin !== undefined && event.origin !== this.#origin) return;
    const message = hostMessage(event.data);
    if (message) this.#receive(message, event.origin);
  }

  #receive(message: HostMessage, origin: string): void {
    switch (message.kind) {
      case 'token':
        return void this.#exchange(message.token, origin);
      case 'no-token':
        return this.#settle(false);
      case 'filters':
        return this.#setFilters(message.filters);
      case 'turns':
        // It tells nothing to a site that the server has not accepted.
        if (this.#origin !== undefined) offerLocks(this.#locks);
        return;
      case 'turn':
        return this.#locks.begin(message);
      case 'appearance':
        // Any site may have its background around a refusal. A theme is kept in the browser, so that only an
        // accepted site chooses it.
        if (message.background) document.documentElement.dataset['background'] = message.background;
        if (message.theme && this.#origin !== undefined)
          chooseTheme(message.theme === 'auto' ? undefined : message.theme);
    }
  }

  async #exchange(token: string, origin: string): Promise<void> {
    try {
      const access = await exchanges.openEmbed({ body: { token, origin, ...this.address } });
      const isFirst = this.#origin === undefined;
      this.#origin ??= origin;
      enterAsGuest(access);
      clearTimeout(this.#timer);
      const { endsInMs } = access;
      this.#timer = setTimeout(() => void this.#renew(), Math.max(endsInMs - aheadMs, (endsInMs * 2) / 3));
      if (isFirst) {
        this.#locale = access.locale;
        if (access.locale !== undefined)
          localStorage.setItem('belvedere-language', access.locale.slice(0, 2));
        if (access.theme !== 'auto') chooseTheme(access.theme);
        this.tell({ kind: 'open' });
      }
      this.step.set({ name: 'open' });
      this.#settle(true);
    } catch (error) {
      const [type, detail] =
        error instanceof ApiError
          ? [error.problem.type, error.problem.detail ?? problemText(error)]
          : ['unreachable', problemText(error)];
      // What is shown goes on until its own token ends.
      if (this.step.get().name !== 'open') this.#refuse(type, detail, origin);
      else this.tell({ kind: 'error', type, detail });
      this.#settle(false);
    }
  }

  /** @param origin the site that gave the token that was refused */
  #refuse(type: string, detail: string, origin = this.#origin): void {
    this.step.set({ name: 'refused', detail });
    if (origin !== undefined && window.parent !== window)
      window.parent.postMessage(sent({ kind: 'error', type, detail }), origin);
  }

  /** Takes only what an address could hold, which the server accepts. */
  #setFilters(filters: Extract<HostMessage, { kind: 'filters' }>['filters']): void {
    if (this.#origin === undefined) return;
    try {
      const requested = { page: 0, selections: {}, filters } as unknown as DashboardState;
      const { state, isWhole } = stateFromSearch(searchFromState(requested));
      if (!isWhole) throw new RangeError('not a condition');
      this.filters.set(state.filters);
    } catch {
      this.tell({ kind: 'error', type: 'filters-invalid', detail: 'These filters are not valid.' });
    }
  }
}

/** The origin of the site around this frame, as the browser tells it without a message; empty if it does not. */
function originAround(): string {
  const [parent] = location.ancestorOrigins ?? [];
  if (parent !== undefined) return parent;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : '';
}

export const embedSession = new EmbedSession();
