import type { UserAccount } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { AccessTokens } from './AccessTokens.tsx';
import { words } from '../messages/words.ts';

/** The access tokens of another user, as admins see and revoke them; they create those of service accounts. */
export function UserTokensDialog({
  user: { id, name, isService },
  onClose,
}: {
  readonly user: UserAccount;
  readonly onClose: () => void;
}) {
  const title = words.tokens.titleOf(name);
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
        {isService ? <p className="text-text-2">{words.tokens.hintOf}</p> : null}
        <div>
          <AccessTokens userId={id} mayCreate={isService} />
        </div>
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}
