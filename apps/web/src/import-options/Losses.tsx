import type { ImportOptions } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { t } from '../messages/messages.ts';
import type { ImportDecision } from './use-import-decision.ts';

/** What a decision would lose, and the buttons to check, save or confirm it. */
export function Losses({ losses }: Pick<ImportDecision, 'losses'>) {
  return losses.length === 0 ? null : (
    <div role="alert" className="rounded-tile bg-bad-weak px-3 py-2 text-13 text-bad">
      {losses.map(loss => (
        <p key={loss} className="break-words">
          {loss}
        </p>
      ))}
    </div>
  );
}

/** While a decision is checked, it can be saved without; with losses, it has to be confirmed. */
export function SaveOptions({
  decision,
  reading,
}: {
  readonly decision: ImportDecision;
  readonly reading: ImportOptions;
}) {
  const { isChecking, losses, decide, confirm } = decision;
  if (isChecking)
    return (
      <>
        <Button onPress={() => confirm(reading)}>{t.importOptions.saveUnchecked}</Button>
        <Button look="primary" isDisabled>
          {t.importOptions.checking}
        </Button>
      </>
    );
  return losses.length > 0 ? (
    <Button look="primary" onPress={() => confirm(reading)}>
      {t.importOptions.saveAnyway}
    </Button>
  ) : (
    <Button look="primary" onPress={() => decide(reading)}>
      {t.importOptions.save}
    </Button>
  );
}
