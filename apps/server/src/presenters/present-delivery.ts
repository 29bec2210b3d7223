import type { Delivery } from '@belvedere/api';
import type { Directory } from '../access/directory.ts';
import { failedStates, type ListedDelivery } from '../state/messages/deliveries.ts';

/** Returns a delivery as admins see it. */
export function presentDelivery(delivery: ListedDelivery, { users }: Directory): Delivery {
  const { id, kind, about, title, to, state, attempts, reason, createdAt, changedAt, nextAt } = delivery;
  const name = to.kind === 'user' ? users.get(to.userId)?.name : undefined;
  return {
    id,
    kind,
    about,
    title,
    to:
      to.kind === 'user'
        ? { kind: 'user', ...(name !== undefined && { name }) }
        : {
            kind: 'channel',
            channel: to.channel,
            ...(to.address !== undefined && { address: to.address }),
          },
    state,
    attempts,
    ...(reason !== undefined && { reason }),
    createdAt,
    at: changedAt,
    ...(state === 'waiting' && nextAt !== undefined && { nextAt }),
    // A report without its files says nothing.
    canResend: failedStates.includes(state) && !delivery.hasLostFiles,
  };
}

/** Returns a delivery without what only admins may know of a channel: its addresses, and what they answered. */
export function withoutAddresses({ reason, to, ...delivery }: Delivery): Delivery {
  if (to.kind === 'user')
    return { ...delivery, to, ...(reason !== undefined && { reason }), canResend: false };
  return { ...delivery, to: { kind: 'channel', channel: to.channel }, canResend: false };
}
