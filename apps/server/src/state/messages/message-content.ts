import type { Message, NewMessage } from '../../deliver/message.ts';

/** The part of a message that is stored as JSON. */
export type MessageContent = Omit<Message, 'kind' | 'about' | 'images' | 'files'> & {
  readonly requires: NewMessage['requires'];
  readonly sight?: NewMessage['sight'];
  /** How many images and files it had. */
  readonly files: number;
};
