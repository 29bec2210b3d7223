import { Button, Modal } from '@belvedere/ui';
import { LinkField } from './CopyLink.tsx';
import { words } from './messages/words.ts';

/** Shows the link with which a user sets a new password. */
export function ResetLinkDialog({
  name,
  link,
  onClose,
}: {
  readonly name: string;
  readonly link: string;
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
        <p className="text-text-2">{words.resetting.hint}</p>
        <LinkField label={words.resetting.link} address={new URL(link, window.location.origin).href} />
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}
