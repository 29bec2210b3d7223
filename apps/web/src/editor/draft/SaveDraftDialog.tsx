import { TextField } from '@belvedere/ui';
import { useState, type ReactNode } from 'react';
import type { EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

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
    <FormDialog title={title} submitLabel={words.save} onSubmit={save} onClose={onClose}>
      <TextField
        autoFocus
        label={words.saveMessage}
        maxLength={500}
        value={message}
        onChange={setMessage}
        placeholder={words.saveMessageHint}
      />
      {children}
    </FormDialog>
  );
}
