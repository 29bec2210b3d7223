import { deliveryStates, type Delivery, type DeliveryState } from '@belvedere/api';
import { Button, Select, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { Answer } from '../accounts/Answer.tsx';
import { FormProblem } from '../accounts/FormProblem.tsx';
import { agoText, momentText } from '../accounts/times.ts';
import { useChange } from '../accounts/use-change.ts';
import { client } from '../data/server.ts';
import { useDeliveries, type DeliveryFilter } from './channel-data.ts';
import { words } from './messages/words.ts';

const failed: readonly DeliveryState[] = ['dropped', 'uncertain', 'given-up'];
const open: readonly DeliveryState[] = ['waiting', 'sending'];
const tones: Readonly<Record<DeliveryState, 'neutral' | 'good' | 'warn' | 'bad'>> = {
  waiting: 'neutral',
  sending: 'neutral',
  sent: 'good',
  dropped: 'warn',
  uncertain: 'warn',
  'given-up': 'bad',
};

/** Deliveries by state, with the reasons of those that failed, and the way to send them again. */
export function DeliveryList() {
  const [filter, setFilter] = useState<DeliveryFilter>('all');
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useDeliveries(filter);
  const { change, isBusy, problem } = useChange();
  const deliveries = data?.pages.flatMap(page => page.deliveries) ?? [];
  const counts = data?.pages[0]?.counts;
  const sumOf = (states: readonly DeliveryState[]) =>
    counts ? ` (${states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)})` : '';
  const options: readonly { readonly value: DeliveryFilter; readonly label: string }[] = [
    { value: 'all', label: words.all },
    { value: 'open', label: words.open + sumOf(open) },
    { value: 'failed', label: words.failed + sumOf(failed) },
    ...deliveryStates.map(state => ({ value: state, label: words.states[state] + sumOf([state]) })),
  ];
  return (
    <>
      <div className="mb-2 w-full max-w-60">
        <Select
          label={words.filter}
          value={filter}
          options={[...options]}
          onChange={value => setFilter(value as DeliveryFilter)}
        />
      </div>
      <FormProblem problem={problem} />
      <Answer error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {deliveries.length === 0 ? (
          <p className="py-2 text-text-2">{filter === 'all' ? words.noDeliveries : words.noneOfState}</p>
        ) : (
          <ul aria-label={words.deliveries} className="rounded-tile border border-border bg-surface">
            {deliveries.map(delivery => (
              <DeliveryItem
                key={delivery.id}
                delivery={delivery}
                isBusy={isBusy}
                onResend={() =>
                  void change(() => client.resendDelivery({ params: { delivery: delivery.id } }))
                }
              />
            ))}
          </ul>
        )}
        {hasNextPage ? (
          <Button className="mt-3" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {words.more}
          </Button>
        ) : null}
      </Answer>
    </>
  );
}

function DeliveryItem({
  delivery,
  isBusy,
  onResend,
}: {
  readonly delivery: Delivery;
  readonly isBusy: boolean;
  readonly onResend: () => void;
}) {
  const { kind, title, state, attempts, reason, createdAt, nextAt, canResend } = delivery;
  const recipient = recipientOf(delivery);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0">
      <span className="min-w-0 flex-1 basis-60">
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
          <StateChip tone={tones[state]}>{words.states[state]}</StateChip>
        </span>
        <span className="block text-12 wrap-anywhere text-text-2">
          {[
            words.messageKinds[kind],
            words.toRecipient(recipient),
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
      {canResend ? (
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
