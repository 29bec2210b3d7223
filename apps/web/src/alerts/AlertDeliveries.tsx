import type { Delivery } from '@belvedere/api';
import { DeliveryItem } from '../channels/DeliveryItem.tsx';

interface AlertDeliveriesProps {
  readonly label: string;
  readonly deliveries: readonly Delivery[];
  /** Whether channels lead to their deliveries, which admins see. */
  readonly isLinked: boolean;
}

/** The newest messages of an alert. */
export function AlertDeliveries({ label, deliveries, isLinked }: AlertDeliveriesProps) {
  return (
    <ul aria-label={label} className="border-t border-border [&>li]:px-4">
      {deliveries.map(delivery => (
        <DeliveryItem key={delivery.id} delivery={delivery} isLinked={isLinked} />
      ))}
    </ul>
  );
}
