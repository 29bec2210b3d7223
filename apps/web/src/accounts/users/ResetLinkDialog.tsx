import { Button, Modal } from '@belvedere/ui';
import { DeliveredLink, type Delivery } from './DeliveredLink.tsx';
import { words } from '../messages/words.ts';

/** Shows to whom the link went with which a user sets a new password. */
export function ResetLinkDialog({
  name,
  delivery,
  onClose,
}: {
  readonly name: string;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}) {
  return (
    <Modal
      label={words.resetting.title(name)}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{words.resetting.title(name)}</h2>
        <DeliveredLink
          delivery={delivery}
          label={words.resetting.link}
          hint={words.resetting.hint}
          mailed={words.resetting.mailed}
        />
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}
