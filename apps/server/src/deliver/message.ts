import type { ObjectName } from '../access/may.ts';

/** A message, whatever its channel. Plain texts in its language. */
export interface Message {
  readonly kind: 'alert' | 'report' | 'test';
  /** Its language (BCP 47); the workspace's if undefined. */
  readonly locale?: string;
  /** The ID of the message's subject, such as `alert:late-flights`. Messages of one `about` may be grouped. */
  readonly about: string;
  /** Says the state of an alert, too: `Firing: Late flights`. */
  readonly title: string;
  readonly state?: MessageState;
  /** Of a message that groups of an alert are over: whether others are not. */
  readonly isOngoing?: boolean;
  readonly severity?: Severity;
  readonly lines: readonly string[];
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Paths of this server (`/d/delays`), or absolute `https:` addresses (a runbook). */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  readonly images: readonly MessageImage[];
  readonly files: readonly MessageFile[];
  /** A path under which a signed-in recipient can unsubscribe; also sent as List-Unsubscribe. */
  readonly unsubscribe?: string;
}

type MessageState = 'firing' | 'ok' | 'noData' | 'error';
export type Severity = 'info' | 'warning' | 'critical';

/** A picture in the body of a mail. Its width is in CSS pixels. */
export interface MessageImage {
  readonly name: string;
  readonly alt: string;
  readonly png: Uint8Array;
  readonly width: number;
}

/** An attachment of a mail. */
export interface MessageFile {
  readonly name: string;
  /** A media type, such as `application/pdf`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

export type Target =
  | { readonly kind: 'user'; readonly userId: string }
  | {
      readonly kind: 'channel';
      /** Its name. */
      readonly channel: string;
    };

export interface NewMessage extends Message {
  /** The idempotency key: a message with a known key is not stored again. */
  readonly key: string;
  readonly to: readonly Target[];
  /** The objects that a recipient must be allowed to view when it is sent. Otherwise that delivery is dropped. */
  readonly requires: readonly ObjectName[];
  /**
   * What its users saw of a dashboard when it was made (`sightOf`). It is not sent to one who by then sees
   * other rows or fields.
   */
  readonly sight?: { readonly dashboard: string; readonly hash: string };
}
