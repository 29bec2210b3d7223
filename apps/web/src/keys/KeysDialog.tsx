import { Modal } from '@belvedere/ui';
import { t } from '../messages/messages.ts';
import { LettersCheckbox } from './LettersCheckbox.tsx';
import { ShortcutList } from './ShortcutList.tsx';

/** Which keys do something here. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal label={t.keys.title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-3xl">
      <div className="flex max-h-[76vh] flex-col">
        <h2 className="px-5 pt-5 text-15 font-semibold">{t.keys.title}</h2>
        <div
          role="group"
          aria-label={t.keys.title}
          tabIndex={0}
          className="min-h-0 flex-1 columns-2 gap-8 overflow-auto px-5 py-3 max-md:columns-1"
        >
          <ShortcutList />
        </div>
        <div className="border-t border-border px-5 py-3">
          <LettersCheckbox />
          <p className="pt-1 text-12 text-text-2">{t.keys.lettersHint}</p>
        </div>
      </div>
    </Modal>
  );
}
