import { deliveryStates, type DeliveryState } from '@belvedere/api';
import { Button, RemovableChip, Select } from '@belvedere/ui';
import { useState } from 'react';
import { QueryState } from '../accounts/QueryState.tsx';
import { FormProblem } from '../accounts/FormProblem.tsx';
import { useChange } from '../accounts/use-change.ts';
import { client } from '../data/server.ts';
import { useDeliveries, type DeliveryFilter } from './channel-data.ts';
import { DeliveryItem } from './DeliveryItem.tsx';
import { words } from './messages/words.ts';

const failed: readonly DeliveryState[] = ['dropped', 'uncertain', 'given-up'];
const open: readonly DeliveryState[] = ['waiting', 'sending'];
interface DeliveryListProps {
  /** Lists those to one channel only. */
  readonly channel: string | undefined;
  readonly onShowAll: () => void;
}

/** Deliveries by state, with the reasons of those that failed, and the way to send them again. */
export function DeliveryList({ channel, onShowAll }: DeliveryListProps) {
  const [filter, setFilter] = useState<DeliveryFilter>('all');
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeliveries(
    filter,
    channel,
  );
  const { change, isBusy, problem } = useChange();
  const deliveries = data?.pages.flatMap(page => page.deliveries) ?? [];
  const counts = data?.pages[0]?.counts;
  const sumOf = (states: readonly DeliveryState[]) =>
    counts && channel === undefined
      ? ` (${states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)})`
      : '';
  const options: readonly { readonly value: DeliveryFilter; readonly label: string }[] = [
    { value: 'all', label: words.all },
    { value: 'open', label: words.open + sumOf(open) },
    { value: 'failed', label: words.failed + sumOf(failed) },
    ...deliveryStates.map(state => ({ value: state, label: words.states[state] + sumOf([state]) })),
  ];
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <span className="w-full max-w-60">
          <Select
            label={words.filter}
            value={filter}
            options={[...options]}
            onChange={value => setFilter(value as DeliveryFilter)}
          />
        </span>
        {channel === undefined ? null : (
          <RemovableChip
            label={words.toRecipient(channel)}
            removeLabel={words.showAllChannels}
            onRemove={onShowAll}
          />
        )}
      </div>
      <FormProblem problem={problem} />
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
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
      </QueryState>
    </>
  );
}
