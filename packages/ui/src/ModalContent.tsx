import type { ReactNode } from 'react';
import { Dialog, Modal as AriaModal, ModalOverlay } from 'react-aria-components';

export interface ModalProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly className?: string;
  /** A drawer along the start edge instead of a dialog over the middle. */
  readonly isDrawer?: boolean;
  readonly children: ReactNode;
}

export function ModalContent({
  label,
  isOpen,
  onOpenChange,
  className = 'max-w-xl',
  isDrawer = false,
  children,
}: ModalProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className={`fixed inset-0 z-50 flex bg-black/30 ${isDrawer ? 'items-stretch' : 'items-start justify-center p-4 pt-[12vh]'}`}
    >
      <AriaModal
        className={
          isDrawer
            ? 'enter-from-start w-72 max-w-[85vw] overflow-y-auto border-e border-border bg-raised shadow-float'
            : `enter w-full rounded-tile border border-border bg-raised shadow-float ${className}`
        }
      >
        <Dialog aria-label={label} className="outline-none">
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
