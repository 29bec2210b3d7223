import { Button, Modal } from '@belvedere/ui';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../messages/messages.ts';

interface FormDialogProps {
  readonly title: string;
  /** Small for one field, large for a page of them. */
  readonly size?: 'small' | 'medium' | 'large' | 'extra large';
  /** The label of the button that submits the form. */
  readonly submitLabel: string;
  /** Whether the form cannot be submitted now. */
  readonly isDisabled?: boolean;
  /** Called by the button, and by Enter in a field, unless the form is disabled. */
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  /** Further actions, at the start of the row of buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const sizes = {
  small: { modal: 'max-w-sm', gap: 'gap-3' },
  medium: { modal: 'max-w-md', gap: 'gap-3' },
  large: { modal: 'max-w-lg', gap: 'gap-4' },
  'extra large': { modal: 'max-w-xl', gap: 'gap-4' },
};

/** A dialog with a form: its title, its fields, and buttons to cancel and to submit it. */
export function FormDialog({
  title,
  size = 'medium',
  submitLabel,
  isDisabled = false,
  onSubmit,
  onClose,
  actions,
  children,
}: FormDialogProps) {
  const { modal, gap } = sizes[size];
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className={modal}>
      <form
        noValidate
        className={`flex max-h-[85vh] flex-col overflow-y-auto p-5 ${gap}`}
        onSubmit={event => {
          event.preventDefault();
          if (!isDisabled) onSubmit(event);
        }}
      >
        <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          {actions ? <span className="me-auto">{actions}</span> : null}
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={isDisabled}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
