import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import type { EditedText } from '../document-editor.ts';
import { words } from '../messages/words.ts';

/** Makes the draft the document, with a line for its history. */
export function SaveDraftDialog({ editor, title, onClose }: { readonly editor: EditedText; readonly title: string; readonly onClose: () => void }) {
  const [message, setMessage] = useState('');
  const save = () => {
    onClose();
    void editor.save(message.trim());
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <form className="flex flex-col gap-3 p-5" onSubmit={event => { event.preventDefault(); save(); }}>
        <h2 className="text-15 font-semibold">{title}</h2>
        <TextField label={words.saveMessage} value={message} onChange={setMessage} placeholder={words.saveMessageHint} />
        <div className="flex justify-end gap-2"><Button onPress={onClose}>{words.cancel}</Button><Button look="primary" type="submit">{words.save}</Button></div>
      </form>
    </Modal>
  );
}
