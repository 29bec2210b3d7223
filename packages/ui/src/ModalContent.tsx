import type { ReactNode } from 'react';
import { Dialog, Modal as AriaModal, ModalOverlay } from 'react-aria-components';

export interface ModalProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

export function ModalContent({ label, isOpen, onOpenChange, className = 'max-w-xl', children }: ModalProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex items-start justify-center bg-black/30 p-4 pt-[12vh]"
    >
      <AriaModal
        className={`enter w-full rounded-tile border border-border bg-raised shadow-float ${className}`}
      >
        <Dialog aria-label={label} className="outline-none">
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
