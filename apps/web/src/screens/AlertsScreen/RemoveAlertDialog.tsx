import { Button, Modal } from '@belvedere/ui';
import { words } from '../../alerts/messages/words.ts';

interface RemoveAlertDialogProps {
  readonly title: string;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Asks whether to delete an alert. */
export function RemoveAlertDialog({ title, onRemove, onClose }: RemoveAlertDialogProps) {
  const label = words.removeTitle(title);
  return (
    <Modal label={label} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{label}</h2>
        <p className="text-text-2">{words.removeHint}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" onPress={onRemove}>
            {words.remove}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
