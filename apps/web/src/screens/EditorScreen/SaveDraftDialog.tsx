import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { useEditing } from '../../editor/editing.ts';
import { words } from '../../editor/messages/words.ts';

/** Makes the draft the dashboard, with a line for its history. */
export function SaveDraftDialog({ onClose }: { readonly onClose: () => void }) {
  const { editor } = useEditing();
  const [message, setMessage] = useState('');
  const save = () => {
    onClose();
    void editor.save(message.trim());
  };
  return (
    <Modal label={words.saveTitle} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <form className="flex flex-col gap-3 p-5" onSubmit={event => { event.preventDefault(); save(); }}>
        <h2 className="text-15 font-semibold">{words.saveTitle}</h2>
        <TextField label={words.saveMessage} value={message} onChange={setMessage} placeholder={words.saveMessageHint} />
        <div className="flex justify-end gap-2"><Button onPress={onClose}>{words.cancel}</Button><Button look="primary" type="submit">{words.save}</Button></div>
      </form>
    </Modal>
  );
}
