import type { DeliveryState } from '@belvedere/api';

/** The tables of channels, and messages on their way. */
export interface DeliveryTables {
  readonly channel: ChannelTable;
  readonly message: MessageTable;
  readonly message_file: MessageFileTable;
  readonly delivery: DeliveryTable;
}

/** Where alerts and reports are sent, in addition to users. */
interface ChannelTable {
  readonly id: string;
  /** Documents name it. */
  readonly name: string;
  readonly kind: 'mail' | 'webhook';
  /** As JSON, without secrets. */
  readonly settings: string;
  /** Addresses and keys as JSON, sealed with the instance's secret. */
  readonly secret: string;
  /** As JSON. */
  readonly limits: string;
  /** The ID of a user; null in local mode, and once that user is gone. */
  readonly created_by: string | null;
  readonly created_at: string;
}

interface MessageTable {
  readonly id: string;
  readonly kind: 'alert' | 'report' | 'test';
  readonly about: string;
  /** A message with a known key is not stored again. */
  readonly key: string;
  /** As JSON, without files. */
  readonly content: string;
  readonly at: string;
}

interface MessageFileTable {
  readonly message_id: string;
  readonly position: number;
  readonly name: string;
  readonly type: string;
  /** Whether it is a picture in the body of a mail: 0 or 1. */
  readonly is_inline: number;
  readonly alt: string | null;
  /** Of a picture, in CSS pixels. */
  readonly width: number | null;
  /** Its bytes, as text: backups copy rows as JSON. */
  readonly base64: string;
}

/** One message on its way to one recipient: a user, or a channel. */
interface DeliveryTable {
  readonly id: string;
  readonly message_id: string;
  readonly user_id: string | null;
  /** The name of a channel. */
  readonly channel: string | null;
  /** The ID of that channel; null if there was none of this name. */
  readonly channel_id: string | null;
  /** Of a channel by mail, which has one delivery for each of its addresses. */
  readonly address: string | null;
  /** The delivery with which it is sent in one message; its own ID if it leads others. */
  readonly leader_id: string | null;
  readonly state: DeliveryState;
  /** In this round. */
  readonly attempts: number;
  /** How many times it was sent again by hand. */
  readonly round: number;
  readonly reason: string | null;
  readonly created_at: string;
  readonly changed_at: string;
  /** The first attempt of this round. */
  readonly tried_at: string | null;
  readonly next_at: string | null;
}
