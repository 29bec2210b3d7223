import type { UserAccount } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

interface ResetTwoFactorDialogProps {
  readonly user: UserAccount;
  readonly onClose: () => void;
}

/** Removes the second factors of a user who lost them. */
export function ResetTwoFactorDialog({ user, onClose }: ResetTwoFactorDialogProps) {
  const { change, isBusy, problem } = useChange();
  const title = words.twoFactor.resetTitle(user.name);
  const reset = async () => {
    if (await change(() => client.resetTwoFactor({ params: { user: user.id } }))) onClose();
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
        <p className="text-text-2">{words.twoFactor.resetHint}</p>
        <FormProblem problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" isDisabled={isBusy} onPress={() => void reset()}>
            {words.twoFactor.resetSubmit}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
