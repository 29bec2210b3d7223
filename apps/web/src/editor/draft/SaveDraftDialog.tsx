import { Button, Modal, TextField } from '@belvedere/ui';
import { useState, type ReactNode } from 'react';
import type { EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';

interface SaveDraftDialogProps {
  readonly editor: EditedText;
  readonly title: string;
  /** Whether references in other documents are renamed, too. */
  readonly follow?: boolean;
  readonly onClose: () => void;
  /** Further information or choices before saving. */
  readonly children?: ReactNode;
}

/** Makes the draft the document, with a line for its history. */
export function SaveDraftDialog({ editor, title, follow = false, onClose, children }: SaveDraftDialogProps) {
  const [message, setMessage] = useState('');
  const save = () => {
    onClose();
    void editor.save(message.trim(), follow);
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={event => {
          event.preventDefault();
          save();
        }}
      >
        <h2 className="text-15 font-semibold">{title}</h2>
        <TextField
          autoFocus
          label={words.saveMessage}
          maxLength={500}
          value={message}
          onChange={setMessage}
          placeholder={words.saveMessageHint}
        />
        {children}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit">
            {words.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
