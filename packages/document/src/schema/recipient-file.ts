import { z } from 'zod';
import { Label } from './names.ts';

/** An e-mail address of a user, in lower case. */
export const UserEmail = z.string().toLowerCase().pipe(z.email().max(254));

const recipientKeys = ['user', 'group', 'channel'] as const;

/** A recipient: a user by e-mail address, the members of a group, or a channel of *Settings › Channels*. */
export const Recipient = z
  .strictObject({ user: UserEmail.optional(), group: Label.optional(), channel: Label.optional() })
  .refine(
    recipient => recipientKeys.filter(key => recipient[key] !== undefined).length === 1,
    `exactly one of ${recipientKeys.join(', ')}`,
  );
export type Recipient = z.infer<typeof Recipient>;

export const Recipients = z.array(Recipient).max(200);
