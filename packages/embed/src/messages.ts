/*
 * The messages between a frame and the site around it. Both sides check where a message comes from, and that
 * it is one of these.
 */

/** A condition on a field, as dashboards write it. */
export type Condition =
  | { readonly last: string }
  | { readonly this: string }
  | { readonly from?: string | number; readonly below?: string | number }
  | { readonly oneOf: readonly (string | number | boolean | null)[] }
  | { readonly noneOf: readonly (string | number | boolean | null)[] }
  | { readonly contains: string };

/** Conditions by field; null for all values. */
export type Filters = Readonly<Record<string, Condition | null>>;

/** What is selected, by tile: boxes of conditions, each by field. */
export type Selections = Readonly<Record<string, readonly Readonly<Record<string, Condition>>[]>>;

export type Theme = 'auto' | 'light' | 'dark';
export type Background = 'canvas' | 'transparent';

/** Sent by the site to the frame. */
export type HostMessage =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'filters'; readonly filters: Filters }
  | { readonly kind: 'appearance'; readonly theme?: Theme; readonly background?: Background }
  /** The site gives turns, which frames need where browsers have no Web Locks. */
  | { readonly kind: 'turns' }
  /** A turn begins. */
  | { readonly kind: 'turn'; readonly turn: number };

/** Sent by the frame to the site. Only `token-needed` is sent before the server has accepted the site. */
export type FrameMessage =
  | { readonly kind: 'token-needed' }
  | { readonly kind: 'open' }
  | { readonly kind: 'size'; readonly height: number }
  | { readonly kind: 'filters'; readonly filters: Filters }
  | { readonly kind: 'selection'; readonly selections: Selections }
  | { readonly kind: 'data-time'; readonly dataTime: string }
  | { readonly kind: 'error'; readonly type: string; readonly detail: string }
  | { readonly kind: 'turn-needed' | 'turn-over'; readonly name: string; readonly turn: number };

type Fields = Readonly<Record<string, unknown>>;
type Check = (message: Fields) => boolean;

const isText = (value: unknown) => typeof value === 'string' && value.length <= 100_000;
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTurn = ({ turn }: Fields) => Number.isSafeInteger(turn);
const isOneOf = (value: unknown, known: readonly unknown[]) => value === undefined || known.includes(value);

const hostChecks: Readonly<Record<HostMessage['kind'], Check>> = {
  token: ({ token }) => isText(token),
  'no-token': () => true,
  filters: ({ filters }) => isRecord(filters),
  appearance: ({ theme, background }) =>
    isOneOf(theme, ['auto', 'light', 'dark']) && isOneOf(background, ['canvas', 'transparent']),
  turns: () => true,
  turn: isTurn,
};

const frameChecks: Readonly<Record<FrameMessage['kind'], Check>> = {
  'token-needed': () => true,
  open: () => true,
  size: ({ height }) => Number.isFinite(height) && (height as number) >= 0 && (height as number) <= 100_000,
  filters: ({ filters }) => isRecord(filters),
  selection: ({ selections }) => isRecord(selections),
  'data-time': ({ dataTime }) => isText(dataTime),
  error: ({ type, detail }) => isText(type) && isText(detail),
  'turn-needed': message => isText(message['name']) && isTurn(message),
  'turn-over': message => isText(message['name']) && isTurn(message),
};

/** Marks messages of this protocol, and its version. */
const version = 1;

export const sent = <M extends HostMessage | FrameMessage>(message: M) => ({
  ...message,
  belvedere: version,
});

/** Returns the message that a site sent, or undefined. */
export function hostMessage(data: unknown): HostMessage | undefined {
  return read(data, hostChecks) as HostMessage | undefined;
}

/** Returns the message that a frame sent, or undefined. */
export function frameMessage(data: unknown): FrameMessage | undefined {
  return read(data, frameChecks) as FrameMessage | undefined;
}

function read(data: unknown, checks: Readonly<Record<string, Check>>): unknown {
  if (!isRecord(data)) return undefined;
  const message = data as Fields;
  const { belvedere, kind } = message;
  if (belvedere !== version || typeof kind !== 'string' || !Object.hasOwn(checks, kind)) return undefined;
  return checks[kind]!(message) ? message : undefined;
}
