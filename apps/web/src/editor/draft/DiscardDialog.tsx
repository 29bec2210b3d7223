import { Button, Modal } from '@belvedere/ui';
import type { EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';

/** Asks for confirmation before a draft is discarded. */
export function DiscardDialog({
  editor,
  onClose,
}: {
  readonly editor: EditedText;
  readonly onClose: () => void;
}) {
  return (
    <Modal
      label={words.discardTitle}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{words.discardTitle}</h2>
        <p className="text-text-2">{words.discardText}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            onPress={() => {
              onClose();
              void editor.discard(words.steps.discard);
            }}
          >
            {words.discard}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
