import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Button, Dialog, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { uiTexts } from './ui-texts.ts';

export interface ModalProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly className?: string;
  /** For dialogs with a button of their own that closes them, or that need an answer. */
  readonly hasOwnClose?: boolean;
  /** A drawer along the start edge instead of a dialog over the middle. */
  readonly isDrawer?: boolean;
  readonly children: ReactNode;
}

export function ModalContent({
  label,
  isOpen,
  onOpenChange,
  className = 'max-w-xl',
  hasOwnClose = false,
  isDrawer = false,
  children,
}: ModalProps) {
  const modal = useRef<HTMLDivElement>(null);
  useEscapeWithoutFocus(modal, isOpen, onOpenChange);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className={`fixed inset-0 z-50 flex bg-black/30 ${isDrawer ? 'items-stretch' : 'items-start justify-center p-4 pt-[12vh]'}`}
    >
      <AriaModal
        ref={modal}
        className={
          isDrawer
            ? 'enter-from-start relative w-72 max-w-[85vw] overflow-y-auto border-e border-border bg-raised shadow-float'
            : `enter relative w-full rounded-tile border border-border bg-raised shadow-float ${className}`
        }
      >
        <Dialog
          aria-label={label}
          // A title that is cut must not shrink to nothing above contents that scroll.
          className={`outline-none [&_h2:first-of-type]:shrink-0 ${hasOwnClose ? '' : besideClose}`}
        >
          {children}
          {hasOwnClose ? null : <CloseButton className="absolute end-2.5 top-2.5 z-20" />}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}

/**
 * The title leaves room for the close button. It stays in place while the contents below it scroll, on a
 * background that reaches the dialog's top edge, so that nothing scrolls below the button. Browsers measure
 * `top` from inside the padding of the contents.
 */
const besideClose =
  '[&_h2:first-of-type]:pe-8 [&>*>h2:first-child]:sticky [&>*>h2:first-child]:-top-2.5 ' +
  '[&>*>h2:first-child]:z-10 [&>*>h2:first-child]:-mb-2 [&>*>h2:first-child]:bg-raised ' +
  '[&>*>h2:first-child]:pb-2 [&>*>h2:first-child]:shadow-[0_-10px_0_var(--raised)]';

/**
 * Closes the topmost dialog by Escape while nothing has the focus: a button that is disabled or removed by its
 * own press leaves the focus to the page, and the dialog hears no keys.
 */
function useEscapeWithoutFocus(
  modal: RefObject<HTMLElement | null>,
  isOpen: boolean,
  onOpenChange: (isOpen: boolean) => void,
): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.target !== document.body) return;
      const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')];
      if (modal.current?.contains(dialogs.at(-1) ?? null)) onOpenChange(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [modal, isOpen, onOpenChange]);
}

const closeLook =
  'flex size-[30px] shrink-0 items-center justify-center rounded-control text-text-2 ' +
  'hover:bg-hover hover:text-text pointer-coarse:size-11';

/** Closes the dialog around it. */
export function CloseButton({ className = '' }: { readonly className?: string }) {
  return (
    <Button slot="close" aria-label={uiTexts.close} className={`${closeLook} ${className}`}>
      <X size={16} aria-hidden />
    </Button>
  );
}
