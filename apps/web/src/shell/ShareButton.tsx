import { Button, LazyBoundary } from '@belvedere/ui';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SharedObject } from '../accounts/account-data.ts';
import { lazyWithWords } from '../accounts/lazy-with-words.ts';

export const ShareDialog = lazyWithWords(() =>
  import('../accounts/sharing/ShareDialog.tsx').then(module => module.ShareDialog),
);

/** Opens the dialog in which an object is shared. */
export function ShareButton({
  shared,
  address,
  label = t.sharing.share,
}: {
  readonly shared: SharedObject;
  readonly address?: string;
  readonly label?: string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)} onHoverStart={ShareDialog.ahead}>
        <Share2 size={14} aria-hidden />
        {label}
      </Button>
      {isOpen ? (
        <LazyBoundary fallback={null}>
          <ShareDialog
            shared={shared}
            {...(address !== undefined && { address })}
            onClose={() => setIsOpen(false)}
          />
        </LazyBoundary>
      ) : null}
    </>
  );
}
