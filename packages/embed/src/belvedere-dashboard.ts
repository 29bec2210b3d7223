import {
  frameMessage,
  sent,
  type Background,
  type Filters,
  type FrameMessage,
  type HostMessage,
  type Selections,
  type Theme,
} from './messages.ts';
import { endTurn, endTurns, takeTurn } from './turns.ts';

/** The events of the element, each a `CustomEvent` with this `detail`. */
export interface DashboardEvents {
  'belvedere-open': undefined;
  /** The filters that the viewer has set. */
  'belvedere-filters': Filters;
  'belvedere-selection': Selections;
  /** The time of the newest data, such as `2026-11-29T08:00:00`. */
  'belvedere-data-time': string;
  /** The height of the whole dashboard, px. */
  'belvedere-size': number;
  'belvedere-error': { readonly type: string; readonly detail: string };
}

/** Elements that ask the same address at the same time share its answer. */
const tokenRequests = new Map<string, Promise<string>>();

/**
 * `<belvedere-dashboard src token-url>`: a dashboard or one of its tiles, in a frame.
 *
 * `src` is the address of its page, `https://bi.example.com/embed/sales`. `token-url` is an address of the
 * site itself, which answers with a signed token, as text; or set `getToken`. The element asks for a token
 * when it opens, and again before each ends.
 */
export class BelvedereDashboard extends HTMLElement {
  static readonly observedAttributes = ['src', 'theme', 'background', 'title'];

  /** Returns a signed token; takes the place of `token-url`. */
  getToken: (() => Promise<string>) | undefined;
  #frame: HTMLIFrameElement | undefined;
  #filters: Filters | undefined;
  readonly #onMessage = (event: MessageEvent<unknown>) => {
    if (!this.#frame || event.source !== this.#frame.contentWindow || event.origin !== this.#origin) return;
    const message = frameMessage(event.data);
    if (message) void this.#hear(message);
  };

  connectedCallback(): void {
    window.addEventListener('message', this.#onMessage);
    this.#load();
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#onMessage);
    this.#removeFrame();
  }

  attributeChangedCallback(name: string): void {
    if (!this.#frame) return;
    if (name === 'src') this.#load();
    else if (name === 'title') this.#frame.title = this.title;
    else this.#sendAppearance();
  }

  /** Conditions by field; null for all values. Filters that the token locks stay as they are. */
  get filters(): Filters | undefined {
    return this.#filters;
  }

  set filters(filters: Filters | undefined) {
    this.#filters = filters;
    if (filters) this.#send({ kind: 'filters', filters });
  }

  get #origin(): string | undefined {
    const src = this.getAttribute('src');
    return src !== null && URL.canParse(src, location.href) ? new URL(src, location.href).origin : undefined;
  }

  #removeFrame(): void {
    if (!this.#frame) return;
    endTurns(this.#frame);
    this.#frame.remove();
    this.#frame = undefined;
  }

  #load(): void {
    this.#removeFrame();
    const src = this.getAttribute('src');
    if (src === null || this.#origin === undefined || !/^https?:/.test(this.#origin)) return;
    const frame = document.createElement('iframe');
    frame.src = src;
    frame.title = this.title || 'Dashboard';
    // Set one by one: a site's policy may allow no style in the page.
    this.style.display ||= 'block';
    Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).append(frame);
    this.#frame = frame;
  }

  async #hear(message: FrameMessage): Promise<void> {
    switch (message.kind) {
      case 'token-needed':
        // A frame that is refused has the site's background, too.
        this.#sendAppearance();
        return this.#sendToken();
      case 'open':
        // A frame that was loaded again knows nothing of its earlier turns.
        endTurns(this.#frame!);
        this.#sendAppearance();
        this.#send({ kind: 'turns' });
        if (this.#filters) this.#send({ kind: 'filters', filters: this.#filters });
        return this.#emit('belvedere-open', undefined);
      case 'size':
        if (!this.hasAttribute('fixed-height')) this.#frame!.style.height = `${message.height}px`;
        return this.#emit('belvedere-size', message.height);
      case 'filters':
        return this.#emit('belvedere-filters', message.filters);
      case 'selection':
        return this.#emit('belvedere-selection', message.selections);
      case 'data-time':
        return this.#emit('belvedere-data-time', message.dataTime);
      case 'error':
        return this.#emit('belvedere-error', { type: message.type, detail: message.detail });
      case 'turn-needed':
        return takeTurn(this.#lineOf(message.name), {
          frame: this.#frame!,
          id: message.turn,
          begin: () => this.#send({ kind: 'turn', turn: message.turn }),
        });
      case 'turn-over':
        return endTurn(this.#lineOf(message.name), { frame: this.#frame!, id: message.turn });
    }
  }

  /** Frames of one server wait for each other. */
  #lineOf(name: string): string {
    return `${this.#origin} ${name}`;
  }

  async #sendToken(): Promise<void> {
    const frame = this.#frame;
    try {
      const token = await (this.getToken ?? (() => tokenAt(this.getAttribute('token-url'))))();
      // Another page may have taken its place meanwhile.
      if (frame === this.#frame) this.#send({ kind: 'token', token });
    } catch (error) {
      if (frame !== this.#frame) return;
      this.#send({ kind: 'no-token' });
      this.#emit('belvedere-error', { type: 'no-token', detail: String(error) });
    }
  }

  #sendAppearance(): void {
    const [theme, background] = [this.getAttribute('theme'), this.getAttribute('background')];
    if (theme === null && background === null) return;
    this.#send({
      kind: 'appearance',
      ...(theme !== null && { theme: theme as Theme }),
      ...(background !== null && { background: background as Background }),
    });
  }

  #send(message: HostMessage): void {
    if (this.#origin !== undefined) this.#frame?.contentWindow?.postMessage(sent(message), this.#origin);
  }

  #emit<Name extends keyof DashboardEvents>(name: Name, detail: DashboardEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function tokenAt(address: string | null): Promise<string> {
  if (address === null) return Promise.reject(new Error('The element has no `token-url`.'));
  const known = tokenRequests.get(address);
  if (known) return known;
  const token = fetch(address, { cache: 'no-store' }).then(response => {
    if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
    return response.text();
  });
  tokenRequests.set(address, token);
  const forget = () => void tokenRequests.delete(address);
  token.then(forget, forget);
  return token;
}
