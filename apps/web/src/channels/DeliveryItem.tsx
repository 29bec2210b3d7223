import type { Delivery, DeliveryState } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { agoText, momentText } from '../accounts/times.ts';
import { words } from './messages/words.ts';

const tones: Readonly<Record<DeliveryState, 'neutral' | 'good' | 'warn' | 'bad'>> = {
  waiting: 'neutral',
  sending: 'neutral',
  sent: 'good',
  dropped: 'warn',
  uncertain: 'warn',
  'given-up': 'bad',
};

interface DeliveryItemProps {
  readonly delivery: Delivery;
  readonly isBusy?: boolean;
  /** Absent where deliveries are only looked at. */
  readonly onResend?: () => void;
  /** Whether the channel leads to its deliveries. */
  readonly isLinked?: boolean;
}

/** A message on its way to one recipient: its state, and why. */
export function DeliveryItem({ delivery, isBusy = false, onResend, isLinked = false }: DeliveryItemProps) {
  const { kind, title, to, state, attempts, reason, createdAt, nextAt, canResend } = delivery;
  const recipient = recipientOf(delivery);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0">
      <span className="min-w-0 flex-1 basis-60">
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
          <StateChip tone={tones[state]}>{words.states[state]}</StateChip>
        </span>
        <span className="block text-12 wrap-anywhere text-text-2">
          {words.messageKinds[kind]}
          {' · '}
          {isLinked && to.kind === 'channel' ? (
            <Link
              to="/settings/channels"
              search={{ channel: to.channel }}
              className="text-accent-text hover:underline"
            >
              {words.toRecipient(recipient)}
            </Link>
          ) : (
            words.toRecipient(recipient)
          )}
          {[
            '',
            ...(attempts > 0 ? [words.attempts(attempts)] : []),
            ...(nextAt !== undefined && attempts > 0 ? [words.nextAt(momentText(nextAt))] : []),
          ].join(' · ')}
          {' · '}
          <time dateTime={createdAt} title={momentText(createdAt)}>
            {agoText(createdAt)}
          </time>
        </span>
        {reason === undefined ? null : (
          <span className="block text-12 wrap-anywhere text-text">{words.reasonText(reason)}</span>
        )}
        {state === 'uncertain' && canResend ? (
          <span className="block text-12 text-text-2">{words.uncertainHint}</span>
        ) : null}
      </span>
      {canResend && onResend ? (
        <Button isDisabled={isBusy} aria-label={words.resendOf(title, recipient)} onPress={onResend}>
          {words.resend}
        </Button>
      ) : null}
    </li>
  );
}

function recipientOf({ to }: Delivery): string {
  if (to.kind === 'user') return to.name ?? words.formerUser;
  return to.address === undefined ? to.channel : `${to.channel} (${to.address})`;
}
